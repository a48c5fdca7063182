# Rules of the source tree: rooms know only what lies below them, every file is
# found by its name alone, and the version stands the same everywhere.
use strict;
use warnings;

use File::Basename;
use Test::More;

my $root = dirname(dirname(__FILE__));

# room => the rooms it may include from; files directly in src/ are for all
my %below = (
	item => [],
	expression => ['item'],
	catalog => ['item'],
	tableam => [ 'item', 'catalog' ],
	worker => [],
	index => [ 'item', 'catalog', 'tableam', 'worker' ],
	stream => [ 'item', 'catalog', 'tableam', 'worker' ],
	operation => [ 'item', 'expression', 'catalog', 'tableam', 'index', 'stream' ],
	ttl => [ 'item', 'catalog', 'tableam', 'index', 'stream', 'operation', 'worker' ],
	http => [ 'item', 'expression', 'catalog', 'operation', 'worker' ]);

sub slurp
{
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!";
	local $/;
	return <$file>;
}

my @files = glob "$root/src/*/*.[ch]";
cmp_ok(scalar @files, '>', 0, 'there are source files');

my (@upwards, %seen);
for my $path (@files)
{
	my $room = basename(dirname($path));
	my %allowed = map { $_ => 1 } $room, @{ $below{$room} || [] };
	my $text = slurp($path);

	fail("src/$room is a known room") unless $below{$room};
	while ($text =~ /^#include "((\w+)\/[\w.]+)"/mg)
	{
		next if $allowed{$2} || !-e "$root/src/$1";	# PostgreSQL has a catalog/, too
		push @upwards, basename($path) . " includes $1";
	}
}
is(join("\n", @upwards), '', 'no room includes from one above it');

my @scans = grep { slurp($_) =~ /\bsystable_beginscan\b/ } @files;
is(join(' ', map { basename($_) } @scans),
	'catalog_scan.c', 'the catalog is read in one place');

$seen{ basename($_) }++ for @files, glob "$root/src/*.[ch]";
is(join(' ', grep { $seen{$_} > 1 } sort keys %seen),
	'', 'base names are unique');

for (
	[ 'sql', 'sql', 'expected', 'out' ],
	[ 'specs', 'spec', 'expected', 'out' ])
{
	my ($dir, $suffix, $expected_dir, $expected_suffix) = @$_;
	my @missing = grep { !-e "$root/$expected_dir/$_.$expected_suffix" }
	  map { basename($_, ".$suffix") } glob "$root/$dir/*.$suffix";
	is("@missing", '', "every test in $dir/ has its expected output");
}
my @orphans = grep { !-e "$root/sql/$_.sql" && !-e "$root/specs/$_.spec" }
  map { s/_\d$//r } map { basename($_, '.out') } glob "$root/expected/*.out";
is("@orphans", '', 'every expected output has its test');

my ($version) =
  slurp("$root/dynamo.control") =~ /^default_version = '([^']+)'/m;
ok(-e "$root/dynamo--$version.sql", 'the control file names a script');
like(slurp("$root/META.json"),
	qr/"version": "\Q$version\E\.\d+"/, 'META.json has that version');
like(slurp("$root/CHANGELOG.md"),
	qr/^## \Q$version\E/m, 'CHANGELOG.md has that version');

done_testing();
