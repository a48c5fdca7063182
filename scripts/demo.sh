# demo.sh
#	Builds and installs the extension, makes a cluster of its own under build/
#	and runs demo/ecommerce.sql in it.  The cluster keeps running, so that the
#	reader can go on by hand; each run starts with a new one.

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

database=shop
demo_table=Shop

# Lines for a shell that has the AWS CLI.
print_aws_lines()
{
	local key endpoint=http://localhost:$http_port

	key=$(cluster_psql -d $database -qAtF ' ' </dev/null \
		-c "SELECT * FROM dynamo.create_access_key('postgres')")
	await_endpoint
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
install_somewhere demo

port=$(free_port 5460)
http_port=$(free_port 8000)
say "starting a cluster in $work_dir, port $port, HTTP endpoint on port $http_port"
start_cluster <<END
dynamo.database = '$database'
END
cluster_psql -q -d postgres -c "CREATE DATABASE $database" </dev/null

# psql reads the script from standard input: the server user may not see it
status=0
cluster_psql -d $database <"$source_dir/demo/ecommerce.sql" 2>&1 || status=$?

echo
[ $status = 0 ] || say "the demo failed (psql ended with $status)"
say "the cluster is still running"
echo "connect:  $root$bindir/psql -h $socket_dir -p $port -U postgres $database"
[ $status != 0 ] || print_aws_lines
echo "stop:     make demo-stop"
exit $status
