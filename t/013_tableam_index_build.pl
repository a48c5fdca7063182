# GRANTs rebuild the relation's cache entry while an index build scans it, and
# the build goes on; afterwards the gate is where it was.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "max_parallel_maintenance_workers = 0\nfsync = off\n");
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION dynamo;
	CREATE ROLE reader;
	CREATE TABLE ddb."Built" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
	SELECT dynamo.adopt('ddb."Built"');
	-- TOASTed, so that the build opens another relation and takes in invalidations at each row
	ALTER TABLE ddb."Built" ALTER COLUMN item SET STORAGE EXTERNAL;
	INSERT INTO ddb."Built"(item)
		SELECT jsonb_build_object('pk', i::text, 'n', i, 'data', repeat(md5(i::text), 200)) FROM generate_series(1, 3000) i;
});

my $script = '';
for my $i (1 .. 5)
{
	$script .= qq{
		CREATE INDEX i$i ON ddb."Built" ((item->'n'));
		CREATE INDEX CONCURRENTLY c$i ON ddb."Built" ((item->>'n'));
		INSERT INTO ddb."Built"(item) VALUES ('{"pk": "new$i", "n": 0}');
	};
}
$script .= qq{
	\\set ON_ERROR_STOP 0
	\\set VERBOSITY sqlstate
	INSERT INTO ddb."Built" VALUES ('x', '{"pk": "y"}');
	\\echo done
};
my $deadline = time() + $PostgreSQL::Test::Utils::timeout_default;
my ($out, $err) = ('', '');
my $builder = IPC::Run::start(
	[ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres') ],
	'<', \$script, '>', \$out, '2>', \$err);

my $grants = 0;
while ($out !~ /done/ && $builder->pumpable && time() < $deadline)
{
	$node->safe_psql('postgres', join('', map { q{GRANT SELECT ON ddb."Built" TO reader; REVOKE SELECT ON ddb."Built" FROM reader;} } 1 .. 50));
	$grants++;
	$builder->pump_nb;
}
$builder->finish;
is($err, "ERROR:  DY001\n", 'all builds succeeded, and the gate is there in the session that built');
cmp_ok($grants, '>', 0, 'privileges changed meanwhile');
is( $node->safe_psql('postgres', q{SELECT count(*) FROM pg_index WHERE indrelid = 'ddb."Built"'::regclass AND indisvalid}),
	'11', 'all indexes are valid');
is( $node->safe_psql('postgres', q{SET enable_seqscan = off; SELECT count(*) FROM ddb."Built" WHERE item->'n' = '7'}),
	'1', 'an index finds its row');

$node->stop('fast');
done_testing();
