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
work_dir=$(readlink "$link")
[ ! -x "$work_dir/postgresql$bindir/pg_ctl" ] || bindir=$work_dir/postgresql$bindir

cd /
if as_server_user "$bindir/pg_ctl" -D "$work_dir/data" status >/dev/null 2>&1; then
	as_server_user "$bindir/pg_ctl" -D "$work_dir/data" -m fast -w -s stop
fi
[ ! -L "$work_dir/socket" ] || rm -rf "$(readlink "$work_dir/socket")"
remove_work_dir demo-cluster
[ -n "$quietly" ] || say "stopped and removed the demo cluster"
