# demo.sh
#	Builds and installs the extension, makes a cluster of its own under build/
#	and runs demo/ecommerce.sql in it.  The cluster keeps running, so that the
#	reader can go on by hand; each run starts with a new one.

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

database=shop
demo_table=Shop

# free_port FIRST: the first port from there on that nobody listens on.
free_port()
{
	local port

	for port in $(seq "$1" $(($1 + 99))); do
		if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
			echo "$port"
			return
		fi
	done
	fail "no free port between $1 and $(($1 + 99))"
}

# Installs into the system's PostgreSQL where that is allowed; else into a
# private copy below work_dir, so that the demo needs no root.
install_somewhere()
{
	root=
	if [ -w "$pkglibdir" ] && [ -w "$sharedir/extension" ]; then
		install_build demo
		say "installed into $pkglibdir and $sharedir/extension"
	else
		root=$work_dir/postgresql
		private_installation "$root"
		install_build demo "$root"
		say "no right to write to $pkglibdir: installed into a private copy in $root"
	fi
}

# A socket's path may have 107 bytes at most.
choose_socket_dir()
{
	socket_dir=$work_dir
	if [ ${#socket_dir} -gt 80 ]; then
		socket_dir=$(as_server_user mktemp -d /tmp/dynamo-socket.XXXXXX)
		as_server_user ln -s "$socket_dir" "$work_dir/socket"
	fi
}

start_cluster()
{
	as_server_user "$root$bindir/initdb" -D "$work_dir/data" -U postgres -E UTF8 --locale=C.UTF-8 \
		--auth-local=trust --auth-host=scram-sha-256 -N >"$work_dir/initdb.log" 2>&1 ||
		{ cat "$work_dir/initdb.log" >&2; fail "initdb failed"; }
	as_server_user tee -a "$work_dir/data/postgresql.conf" >/dev/null <<-END
		listen_addresses = 'localhost'
		port = $port
		unix_socket_directories = '$socket_dir'
		shared_preload_libraries = 'dynamo'
		dynamo.port = $http_port
		dynamo.database = '$database'
	END
	as_server_user "$root$bindir/pg_ctl" -D "$work_dir/data" -l "$work_dir/server.log" -w -s start ||
		{ tail -n 20 "$work_dir/server.log" >&2; fail "the server did not start"; }
}

psql_demo()
{
	as_server_user "$root$bindir/psql" -X -h "$socket_dir" -p "$port" -U postgres "$@"
}

# Lines for a shell that has the AWS CLI; the endpoint's workers find the
# database a moment after it was made.
print_aws_lines()
{
	local key endpoint=http://localhost:$http_port

	key=$(psql_demo -d $database -qAtF ' ' </dev/null \
		-c "SELECT * FROM dynamo.create_access_key('postgres')")
	for _ in $(seq 100); do
		! (exec 3<>"/dev/tcp/127.0.0.1/$http_port") 2>/dev/null || break
		sleep 0.1
	done
	echo "over HTTP, with the AWS CLI:"
	echo "  export AWS_ACCESS_KEY_ID=${key% *} AWS_SECRET_ACCESS_KEY=${key#* } AWS_DEFAULT_REGION=us-east-1"
	echo "  aws dynamodb list-tables --endpoint-url $endpoint"
	echo "  aws dynamodb scan --table-name $demo_table --max-items 3 --endpoint-url $endpoint"
}

bash "$source_dir/scripts/setup.sh"
find_postgresql || fail "no PostgreSQL with PGXS found: set PG_CONFIG"
find_server_user

bash "$source_dir/scripts/demo-stop.sh" quietly
say "building with $("$PG_CONFIG" --version)"
build demo ""
make_work_dir demo-cluster
install_somewhere

port=$(free_port 5460)
http_port=$(free_port 8000)
choose_socket_dir
say "starting a cluster in $work_dir, port $port, HTTP endpoint on port $http_port"
cd "$work_dir"
start_cluster
psql_demo -q -d postgres -c "CREATE DATABASE $database" </dev/null

# psql reads the script from standard input: the server user may not see it
status=0
psql_demo -d $database <"$source_dir/demo/ecommerce.sql" 2>&1 || status=$?

echo
[ $status = 0 ] || say "the demo failed (psql ended with $status)"
say "the cluster is still running"
echo "connect:  $root$bindir/psql -h $socket_dir -p $port -U postgres $database"
[ $status != 0 ] || print_aws_lines
echo "stop:     make demo-stop"
exit $status
