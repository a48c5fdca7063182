# Dump and restore: of the database, after a dropped column has given columns
# other numbers; and of one table, which adopt() then takes in.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION dynamo;
	CREATE TABLE ddb."Dumped" (dropped int, pk text COLLATE "C", also int, sk numeric, item jsonb NOT NULL,
		a text COLLATE "C", PRIMARY KEY (pk, sk)) USING dynamo;
	SELECT dynamo.adopt('ddb."Dumped"');
	ALTER TABLE ddb."Dumped" DROP COLUMN dropped, DROP COLUMN also;
	INSERT INTO dynamo.attributes VALUES ('ddb."Dumped"', 'a', 'S', 'a');
	INSERT INTO dynamo.indexes VALUES
		('ddb."Dumped"', 'index', 'Dumped:index', 'G', '{a}', '{pk}', 'I', '{x,y}', 'ACTIVE', '{}');
	INSERT INTO dynamo.tags VALUES ('ddb."Dumped"', 'k', 'v');
	-- restored before the primary key
	ALTER TABLE ddb."Dumped" ADD CONSTRAINT "A" UNIQUE (sk), ADD CONSTRAINT "B" CHECK (sk > 0) NOT VALID;
	ALTER TABLE ddb."Dumped" ENABLE ROW LEVEL SECURITY;
	CREATE INDEX "Dumped:index" ON ddb."Dumped" (a, pk, sk) WHERE a IS NOT NULL;
	INSERT INTO ddb."Dumped"(item)
		SELECT jsonb_build_object('pk', i::text, 'sk', i, 'a', md5(i::text)) FROM generate_series(1, 100) i;
});

my $rows = q{SELECT pk, sk, a, item FROM ddb."Dumped" ORDER BY sk};
my $catalog = q{
	SELECT relation, table_name, table_id, created_at, partition_key, sort_key FROM dynamo.tables;
	SELECT * FROM dynamo.attributes ORDER BY attribute; SELECT * FROM dynamo.indexes; SELECT * FROM dynamo.tags};

# the restored table goes on working: $filled is what its gate makes of an index attribute
sub works
{
	my ($database, $filled) = @_;

	is($node->safe_psql($database, $rows), $node->safe_psql('postgres', $rows), "$database: rows");
	is( $node->safe_psql($database, q{
			BEGIN;
			INSERT INTO ddb."Dumped"(item) VALUES ('{"pk": "new", "sk": 1000, "a": "x"}') RETURNING pk, sk, a;
			ROLLBACK}),
		"new|1000|$filled", "$database: the key trigger and the gate work");
	my ($code, $out, $err) = $node->psql($database, q{INSERT INTO ddb."Dumped" VALUES ('x', 1, '{"pk": "y", "sk": 1}')});
	like($err, qr/ValidationException/, "$database: the gate refuses");
	is( $node->safe_psql($database,
			q{SELECT amname FROM pg_class c JOIN pg_am a ON a.oid = relam WHERE c.oid = 'ddb."Dumped"'::regclass}),
		'dynamo', "$database: access method");
}

my $dump = $node->basedir . '/database';
for my $format ('plain', 'custom')
{
	my $database = "restored_$format";

	$node->safe_psql('postgres', "CREATE DATABASE $database TEMPLATE template0");
	$node->command_ok([ 'pg_dump', "--format=$format", "--file=$dump.$format", 'postgres' ], "dump, $format");
	if ($format eq 'plain')
	{
		$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$dump.$format", $database ], 'restore, plain');
	}
	else
	{
		$node->command_ok([ 'pg_restore', '--exit-on-error', '-j', '2', "--dbname=$database", "$dump.$format" ], 'restore, parallel');
	}
	is($node->safe_psql($database, $catalog), $node->safe_psql('postgres', $catalog), "$database: catalog");
	works($database, 'x');
}

# one table by itself comes without the catalog's rows
$node->safe_psql('postgres', 'CREATE DATABASE restored_table TEMPLATE template0');
$node->safe_psql('restored_table', 'CREATE EXTENSION dynamo');
$node->command_ok([ 'pg_dump', '-t', 'ddb."Dumped"', '--format=custom', "--file=$dump.table", 'postgres' ], 'dump of a table');
$node->command_ok([ 'pg_restore', '--exit-on-error', '--dbname=restored_table', "$dump.table" ], 'restore of a table');
is($node->safe_psql('restored_table', 'SELECT count(*) FROM dynamo.tables'), '0', 'no catalog rows');
$node->safe_psql('restored_table', q{SELECT dynamo.adopt('ddb."Dumped"')});
works('restored_table', '');

$node->stop('fast');
done_testing();
