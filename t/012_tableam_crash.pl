# What was committed is there after a crash, what was not is not.
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
	CREATE TABLE ddb."Crashed" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL, a text COLLATE "C") USING dynamo;
	SELECT dynamo.adopt('ddb."Crashed"');
	INSERT INTO dynamo.attributes VALUES ('ddb."Crashed"', 'a', 'S', 'a');
	CREATE INDEX "Crashed:index" ON ddb."Crashed" (a, pk) WHERE a IS NOT NULL;
	CHECKPOINT;
	INSERT INTO ddb."Crashed"(item)
		SELECT jsonb_build_object('pk', i::text, 'a', md5(i::text), 'data', repeat(md5(i::text), 200)) FROM generate_series(1, 300) i;
	UPDATE ddb."Crashed" SET item = item || '{"a": "updated"}' WHERE pk = '1';
	DELETE FROM ddb."Crashed" WHERE pk = '2';
});

# a transaction that is open at the crash, its rows flushed by another's commit
my ($in, $out, $err) = (qq{BEGIN;\nINSERT INTO ddb."Crashed"(item) VALUES ('{"pk": "uncommitted"}') RETURNING pk;\n}, '', '');
my $open = IPC::Run::start([ 'psql', '-X', '-q', '-A', '-t', '-d', $node->connstr('postgres') ],
	'<', \$in, '>', \$out, '2>', \$err);
$open->pump until $out =~ /uncommitted/ || !$open->pumpable;
like($out, qr/uncommitted/, 'a transaction is open');
$node->safe_psql('postgres', q{INSERT INTO ddb."Crashed"(item) VALUES ('{"pk": "last", "a": "last"}')});

$node->stop('immediate');
$open->finish;
$node->start;

is( $node->safe_psql('postgres', q{
		SELECT count(*), count(*) FILTER (WHERE a = md5(pk) AND item->>'data' = repeat(md5(pk), 200)) FROM ddb."Crashed"}),
	'300|298', 'committed rows, whole');
is( $node->safe_psql('postgres', q{SET enable_seqscan = off; SELECT pk FROM ddb."Crashed" WHERE a = 'updated'}),
	'1', 'by index');
(undef, $out, $err) = $node->psql('postgres', q{INSERT INTO ddb."Crashed" VALUES ('x', '{"pk": "y"}')});
like($err, qr/ValidationException/, 'the gate is there');

$node->stop('fast');
done_testing();
