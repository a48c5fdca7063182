# demo-stop.sh
#	Stops the demo's cluster and removes it.

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

quietly=${1:-}
link=$build_dir/demo-cluster.dir

if [ ! -L "$link" ]; then
	[ -n "$quietly" ] || say "there is no demo cluster"
	exit 0
fi

find_postgresql || fail "no PostgreSQL found: set PG_CONFIG"
find_server_user
stop_cluster demo-cluster
[ -n "$quietly" ] || say "stopped and removed the demo cluster"
