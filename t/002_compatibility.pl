# docs/compatibility.md names every operation and parameter that the source
# knows, and none that it does not know as supported.
use strict;
use warnings;
use Test::More;

sub slurp
{
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!";
	local $/;
	return <$file>;
}

# ---- the source ----

my $header = slurp('src/operation/operation.h');
my %known = map { $_ => {} } grep { $_ ne 'name' } $header =~ /\bX\((\w+), \w+, \w+, \w+\)/g;
ok(%known > 20, 'the table of operations was read');

my $shapes = slurp('src/operation/request_shape.c');
my %macro;
while ($shapes =~ /#define (\w+_MEMBERS) \\\n((?:.*\\\n)*.*)\n/g)
{
	my ($name, $body) = ($1, $2);
	$macro{$name} = [ $body =~ /\{"(\w+)"/g ];
}
my %list;
while ($shapes =~ /static const ShapeMember (\w+)\[\] = \{\n(.*?)\n\};/gs)
{
	my ($name, $body) = ($1, $2);
	for my $line (split /\n/, $body)
	{
		push @{ $list{$name} }, $1 if $line =~ /^\s*\{"(\w+)"/;
		push @{ $list{$name} }, @{ $macro{$1} } if $line =~ /^\s*(\w+_MEMBERS),/;
	}
}
while ($shapes =~ /\{"(\w+)", &\(const Shape\) STRUCTURE\("\w+", (\w+)\)\}/g)
{
	$known{$1}{$_} = 1 for @{ $list{$2} };
}

# ---- the page ----

my %page;
my $operation;
for my $line (split /\n/, slurp('docs/compatibility.md'))
{
	if ($line =~ /^## (.*)/)
	{
		my $title = $1;
		$operation = $title =~ /^\w+$/ ? $title : undef;
		$page{$operation} = {} if defined $operation;
	}
	elsif (defined $operation && $line =~ /^\| (\w+) \| (.+) \|$/)
	{
		my ($parameter, $state) = ($1, $2);
		$page{$operation}{$parameter} = 1 unless $parameter eq 'parameter' || $state =~ /^no:/;
	}
}

is_deeply([ sort keys %page ], [ sort keys %known ], 'the same operations');
for my $name (sort keys %known)
{
	is_deeply([ sort keys %{ $page{$name} || {} } ], [ sort keys %{ $known{$name} } ], "the parameters of $name");
}

done_testing();
