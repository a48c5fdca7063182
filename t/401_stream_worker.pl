# The stream worker: notifications, consumers exactly once over its death and a
# crash of the server, prepared transactions over a restart, trimming by the clock.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# The clock begins with one of the four hours for which a table is in use, so
# that it is always the same tables that can go a day later.
my $hour = 3600;
my $first_offset = 4 * $hour - time() % (4 * $hour);

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', qq{
	shared_preload_libraries = 'dynamo'
	dynamo.port = 0
	dynamo.clock_offset = $first_offset
	max_prepared_transactions = 5
	log_min_messages = warning
});
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION dynamo;
	SELECT dynamo.create_table('{"TableName": "Work", "BillingMode": "PAY_PER_REQUEST",
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
		"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}}');
});

sub value { return $node->safe_psql('postgres', $_[0]); }

sub set_clock
{
	my ($hours) = @_;
	my $offset = $first_offset + $hours * $hour;

	value("ALTER SYSTEM SET dynamo.clock_offset = $offset");
	value(q{SELECT pg_reload_conf()});
	$node->poll_query_until('postgres', "SELECT current_setting('dynamo.clock_offset')::interval = interval '$offset s'")
	  or die 'the clock was not set';
	return;
}

# listeners
my $listener = $node->background_psql('postgres');
$listener->query_safe('LISTEN "Work:stream"');
value(q{SELECT dynamo.put('Work', '{"pk": "first"}')});
my $heard = '';
for (1 .. 600)
{
	$heard = $listener->query_safe('SELECT pg_sleep(0.05)');
	last if $heard =~ /Asynchronous notification "Work:stream"/;
}
like($heard, qr/Asynchronous notification "Work:stream" with payload "\d{4}-\d\d-\d\dT/, 'a change is announced');
$listener->quit;

# an aggregate kept by a consumer; every third call fails once it has written
value(q{
	CREATE TABLE kinds (kind text PRIMARY KEY, n int NOT NULL, total numeric NOT NULL);
	CREATE SEQUENCE calls;
	CREATE FUNCTION public.keep(event jsonb) RETURNS void LANGUAGE plpgsql AS $$
	DECLARE
		r jsonb;
	BEGIN
		FOR r IN SELECT * FROM jsonb_array_elements(event->'Records') LOOP
			INSERT INTO public.kinds
				SELECT i #>> '{kind,S}', s, s * (i #>> '{v,N}')::numeric
				FROM (VALUES (r #> '{dynamodb,OldImage}', -1), (r #> '{dynamodb,NewImage}', 1)) images(i, s)
				WHERE i ? 'kind'
			ON CONFLICT (kind) DO UPDATE SET n = kinds.n + excluded.n, total = kinds.total + excluded.total;
		END LOOP;
		IF nextval('public.calls') % 3 = 0 THEN
			RAISE EXCEPTION 'every third call fails';
		END IF;
	END
	$$;
	SELECT dynamo.create_event_source_mapping('Work', 'public.keep(jsonb)', 20);
});
my $difference = q{
	SELECT count(*) FROM (SELECT kind, n, total FROM kinds WHERE n <> 0) k
		FULL JOIN (SELECT item->>'kind' AS kind, count(*) AS n, sum((item->>'v')::numeric) AS total
			FROM ddb."Work" WHERE item ? 'kind' GROUP BY 1) t USING (kind)
	WHERE k.n IS DISTINCT FROM t.n OR k.total IS DISTINCT FROM t.total};

sub change
{
	my ($round) = @_;
	value(qq{
		INSERT INTO ddb."Work"(item) SELECT jsonb_build_object('pk', 'w' || i, 'kind', 'k' || (i + $round) % 5, 'v', i * $round)
			FROM generate_series(1, 100) i ON CONFLICT (pk) DO UPDATE SET item = excluded.item;
		DELETE FROM ddb."Work" WHERE pk LIKE 'w%7';
	});
	return;
}

change(1);
ok($node->poll_query_until('postgres', $difference, '0'), 'the aggregate follows');
for my $round (2 .. 4)
{
	change($round);
	value(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type LIKE 'dynamo streams%'});
}
ok($node->poll_query_until('postgres', $difference, '0'), 'and does when the worker is ended again and again');
cmp_ok(value(q{SELECT count(*) FROM dynamo.failed_events}), '==', 0, 'nothing was put aside');

# a crash: what was committed is there, what was not is not
value(q{SELECT dynamo.put('Work', '{"pk": "before the crash", "kind": "crash", "v": 1}')});
my $open = $node->background_psql('postgres');
$open->query_safe(q{BEGIN});
$open->query_safe(q{INSERT INTO ddb."Work"(item) VALUES ('{"pk": "open at the crash"}')});
$node->safe_psql('postgres', q{
	BEGIN;
	SELECT dynamo.put('Work', '{"pk": "prepared", "kind": "prepared", "v": 1}');
	PREPARE TRANSACTION 'one';
});
change(5);
$node->stop('immediate');
eval { $open->quit };
$node->start;
my $pks = q{SELECT string_agg(keys->>'pk', ',' ORDER BY keys->>'pk') FROM dynamo.stream_records('Work', NULL, 100000) WHERE keys->>'pk' NOT LIKE 'w%'};
is(value($pks), 'before the crash,first', 'committed records are there after a crash, others not');
value(q{COMMIT PREPARED 'one'});
is(value($pks), 'before the crash,first,prepared', 'a prepared transaction has its record');
ok($node->poll_query_until('postgres', $difference, '0'), 'the aggregate follows over the crash');
is(value(q{SELECT count(*) FROM (SELECT keys, old_image, lag(new_image) OVER (PARTITION BY keys ORDER BY ordinality) AS before FROM dynamo.stream_records('Work', NULL, 100000) WITH ORDINALITY) s WHERE old_image IS DISTINCT FROM before}),
	'0', 'each old image is the new image before it');

# a day later: the worker truncates what has expired, but not what is open
my $late = $node->background_psql('postgres');
$late->query_safe(q{BEGIN});
$late->query_safe(q{INSERT INTO ddb."Work"(item) VALUES ('{"pk": "late"}')});
my $rows = value(q{SELECT 'SELECT ' || string_agg(format('(SELECT count(*) FROM dynamo.%I)', relname), ' + ')
	FROM pg_class WHERE relkind = 'r' AND relnamespace = 'dynamo'::regnamespace AND relname ~ '^stream_commits_\d$'});
cmp_ok(value($rows), '>', 0, 'there are commits');
set_clock(28);
is(value($pks), '', 'what is older than a day is not read any more');
ok($node->poll_query_until('postgres', $rows, '0'), 'and is truncated');
$late->query_safe(q{COMMIT});
$late->quit;
is(value($pks), 'late', 'the records of the open transaction have not been taken away');
is(value(q{SELECT dynamo.trim_streams()}), '0', 'nor are they after its commit');
is(value($pks), 'late', 'although its table is older than a day');
value(q{SELECT dynamo.put('Work', '{"pk": "today"}')});
is(value($pks), 'late,today', 'later changes are recorded');
set_clock(56);
ok($node->poll_query_until('postgres', $rows, '0'), 'a day later they go, too');
value(q{SELECT dynamo.put('Work', '{"pk": "tomorrow"}')});
is(value($pks), 'tomorrow', 'and the ring goes on');

# the last transaction of all
value(q{BEGIN; SELECT dynamo.put('Work', '{"pk": "last"}'); DROP EXTENSION dynamo CASCADE; COMMIT});
is(value(q{SELECT count(*) FROM pg_extension WHERE extname = 'dynamo'}), '0',
	'the extension can be dropped in a transaction that has changed items');

$node->stop;
my $log = slurp_file($node->logfile);
unlike($log, qr/PANIC|TRAP|leak/, 'no mishap in the log');
done_testing();
