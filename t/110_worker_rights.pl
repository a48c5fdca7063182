# Users' code in workers: what it puts off to the commit runs with its own
# role's rights, and nothing of it is left in the session for the next role's.
use strict;
use warnings;

use File::Basename;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__);
use DynamoHttp;

my $node = PostgreSQL::Test::Cluster->new('worker_rights');
my $port = start_endpoint($node, q{
dynamo.workers = 1
dynamo.anonymous_role = 'tenant'
dynamo.ttl_interval = 1
});
sub value { return $node->safe_psql('postgres', $_[0]); }

# "trap" does at once, and by way of a cursor that is held and of a deferred
# trigger that defers another, what must not be possible, and notes how it went
value(q{
	CREATE EXTENSION dynamo;
	CREATE ROLE tenant;
	CREATE ROLE neighbour;
	GRANT CREATE, USAGE ON SCHEMA ddb, public TO tenant, neighbour;
	SET ROLE tenant;
	CREATE TABLE public.attempts (place text, way text, who name, grabbed bool, late interval);
	CREATE TABLE public.later (place text, way text);
	CREATE FUNCTION public.attempt(place text, way text) RETURNS int LANGUAGE plpgsql AS $$
	DECLARE
		grabbed bool := true;
	BEGIN
		BEGIN
			ALTER ROLE tenant SUPERUSER;
		EXCEPTION WHEN insufficient_privilege THEN
			grabbed := false;
		END;
		INSERT INTO public.attempts
			VALUES (place, way, current_user, grabbed, clock_timestamp() - now());
		PERFORM set_config('search_path', 'public', false);
		RETURN 1;
	END $$;
	CREATE FUNCTION public.attempt_later() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM public.attempt(NEW.place, NEW.way);
		IF NEW.way = 'deferred' THEN
			SET CONSTRAINTS ALL DEFERRED;
			INSERT INTO public.later VALUES (NEW.place, 'deferred again');
		END IF;
		RETURN NULL;
	END $$;
	CREATE CONSTRAINT TRIGGER attempt AFTER INSERT ON public.later
		DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.attempt_later();
	CREATE FUNCTION public.trap(place text) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM public.attempt(place, 'at once');
		EXECUTE format('DECLARE trap CURSOR WITH HOLD FOR SELECT public.attempt(%L, ''held'')', place);
		INSERT INTO public.later VALUES (place, 'deferred');
		CREATE TEMPORARY TABLE left_behind (place text);
		PREPARE left_behind AS SELECT 1;
		PERFORM pg_advisory_lock(1);
	END $$;
	CREATE FUNCTION public.trap_of_item() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM public.trap(TG_ARGV[0]);
		RETURN NULL;
	END $$;
	CREATE FUNCTION public.trap_of_stream(event jsonb) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM public.trap('stream');
	END $$;
	SELECT dynamo.create_table('{"TableName": "Trap", "BillingMode": "PAY_PER_REQUEST",
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}');
	SELECT dynamo.enable_ttl('Trap', 'until');
	CREATE TRIGGER trap AFTER INSERT ON ddb."Trap" FOR EACH ROW EXECUTE FUNCTION trap_of_item('http');
	CREATE TRIGGER trap_expiry AFTER DELETE ON ddb."Trap" FOR EACH ROW EXECUTE FUNCTION trap_of_item('ttl');
	SELECT dynamo.create_table('{"TableName": "Source", "BillingMode": "PAY_PER_REQUEST",
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
		"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}}');
	SELECT dynamo.create_event_source_mapping('Source', 'public.trap_of_stream(jsonb)', maximum_retry_attempts => 0);

	-- the code of another role, which notes what it finds
	SET ROLE neighbour;
	CREATE TABLE public.findings (place text, path text, tables text, statements int8);
	CREATE FUNCTION public.look(place text) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		INSERT INTO public.findings VALUES (place, current_setting('search_path'),
			to_regclass('pg_temp.left_behind'), (SELECT count(*) FROM pg_prepared_statements));
	END $$;
	CREATE FUNCTION public.look_at_item() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
	BEGIN
		PERFORM public.look(TG_ARGV[0]);
		RETURN NULL;
	END $$;
	CREATE FUNCTION public.look_at_stream(event jsonb) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM public.look('stream');
	END $$;
	SELECT dynamo.create_table('{"TableName": "Look", "BillingMode": "PAY_PER_REQUEST",
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
		"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}}');
	GRANT SELECT, INSERT, UPDATE ON ddb."Look" TO tenant;
	SELECT dynamo.enable_ttl('Look', 'until');
	CREATE TRIGGER look AFTER INSERT ON ddb."Look" FOR EACH ROW EXECUTE FUNCTION look_at_item('http');
	CREATE TRIGGER look_expiry AFTER DELETE ON ddb."Look" FOR EACH ROW EXECUTE FUNCTION look_at_item('ttl');
	SELECT dynamo.create_event_source_mapping('Look', 'public.look_at_stream(jsonb)');
});

my %service = (http => 'an HTTP request', ttl => 'the sweep of expired items', stream => 'the consumer of a stream');
sub attempted
{
	my ($place) = @_;
	return wait_until(sub { value(qq{SELECT count(*) >= 3 FROM attempts WHERE place = '$place'}) eq 't' });
}

is(call($port, 'PutItem', { TableName => 'Trap', Item => { pk => { S => 'a' }, until => { N => '' . (int(time) - 5) } } })->{status},
	200, 'an item that sets off the trap in a request, and expires');
ok(attempted('http'), 'it does');
ok(attempted('ttl'), 'so does its expiry');
value(q{SELECT dynamo.put('Source', '{"pk": "a"}')});
ok(attempted('stream'), 'and a record of a stream');

for my $place (sort keys %service)
{
	is(value(qq{SELECT way, who, grabbed, late < '1 s' FROM attempts WHERE place = '$place' ORDER BY way}),
		"at once|tenant|f|t\ndeferred|tenant|f|t\ndeferred again|tenant|f|t",
		"$service{$place}: the role's rights to the end, and the time of the transaction");
}
is(value(q{SELECT rolsuper FROM pg_roles WHERE rolname = 'tenant'}), 'f', 'the role has not become superuser');

is(call($port, 'PutItem', { TableName => 'Look', Item => { pk => { S => 'a' }, until => { N => '' . (int(time) - 5) } } })->{status},
	200, 'an item of another role');
for my $place (sort keys %service)
{
	ok(wait_until(sub { value(qq{SELECT count(*) > 0 FROM findings WHERE place = '$place'}) eq 't' }),
		"$service{$place}: the other role's code has run");
	is(value(qq{SELECT DISTINCT path, tables, statements FROM findings WHERE place = '$place'}),
		'pg_catalog, pg_temp||0', "$service{$place}: it finds nothing of the first one's");
}
is(value(q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'}), '0', 'no advisory lock is left');

# by hand, with more rights than the consumer's role has: nothing can be put off
value(q{UPDATE dynamo.event_source_mappings SET enabled = false;
	SELECT dynamo.put('Source', '{"pk": "b"}');
	TRUNCATE attempts});
is($node->safe_psql('postgres', q{
	UPDATE dynamo.event_source_mappings SET enabled = true WHERE table_name = 'Source' RETURNING '';
	SELECT dynamo.run_event_source_mapping(uuid) FROM dynamo.event_source_mappings WHERE table_name = 'Source'}) =~ s/\s//gr,
	'0', 'called by a superuser, the consumer fails');
like(value(q{SELECT last_result FROM dynamo.event_source_mappings WHERE table_name = 'Source'}),
	qr/WITH HOLD within security-restricted operation/, 'because it would hold a cursor');

$node->stop('fast');
done_testing();
