# common.sh
#	What the scripts share.  Sourced by bash scripts, never run.

set -euo pipefail
export LC_ALL=C
unset MAKEFLAGS MFLAGS MAKELEVEL	# each build below is a make of its own
unset PGHOST PGPORT PGUSER PGDATABASE PGOPTIONS PGSERVICE PGPASSFILE

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build_dir=$source_dir/build

say()
{
	printf '== %s\n' "$*"
}

fail()
{
	printf 'error: %s\n' "$*" >&2
	exit 1
}

# Finds PostgreSQL: PG_CONFIG if given, else Debian's 15, else the one in PATH.
find_postgresql()
{
	local debian=/usr/lib/postgresql/15/bin/pg_config

	if [ -z "${PG_CONFIG:-}" ]; then
		PG_CONFIG=pg_config
		[ -x $debian ] && PG_CONFIG=$debian
	fi
	export PG_CONFIG
	pgxs=$("$PG_CONFIG" --pgxs 2>/dev/null) && [ -e "$pgxs" ] || return 1
	bindir=$("$PG_CONFIG" --bindir)
	pkglibdir=$("$PG_CONFIG" --pkglibdir)
	sharedir=$("$PG_CONFIG" --sharedir)
	harness=$(dirname "$pgxs")/../../src/test
}

# PostgreSQL refuses to run as root: clusters belong to server_user.
find_server_user()
{
	server_user=$(id -un)
	if [ "$(id -u)" = 0 ]; then
		server_user=postgres
		id -u postgres >/dev/null 2>&1 || server_user=nobody
	fi
}

as_server_user()
{
	if [ "$(id -u)" = 0 ]; then
		runuser -u "$server_user" -- "$@"
	else
		"$@"
	fi
}

# A fresh directory of the server user's, set as work_dir: build/NAME, or one
# in /tmp if that user cannot get to the build folder.  The link build/NAME.dir
# leads to it in both cases.
make_work_dir()
{
	work_dir=$build_dir/$1
	rm -rf "$work_dir"
	mkdir -p "$work_dir"
	[ "$(id -u)" != 0 ] || chown "$server_user:" "$work_dir"
	if ! as_server_user test -w "$work_dir"; then
		rmdir "$work_dir"
		work_dir=$(mktemp -d "/tmp/dynamo-$1.XXXXXX")
		chown "$server_user:" "$work_dir"
		say "user $server_user cannot reach $build_dir: using $work_dir"
	fi
	chmod 700 "$work_dir"
	ln -sfn "$work_dir" "$build_dir/$1.dir"
}

# remove_work_dir NAME: what make_work_dir made in an earlier run.
remove_work_dir()
{
	local link=$build_dir/$1.dir

	[ ! -L "$link" ] || rm -rf "$(readlink "$link")" "$link"
}

# copy_source DIRECTORY: the tree without what was built in it.
copy_source()
{
	mkdir -p "$1"
	tar -C "$source_dir" -cf - --exclude=./build --exclude=./.git \
		--exclude='*.o' --exclude='*.bc' --exclude='*.so' . | tar -C "$1" -xf - --no-same-owner
}

# build NAME FLAGS: compiles a copy of the source in build/NAME, so that no
# object of another build, with other flags, is taken for one of this.
build()
{
	rm -rf "${build_dir:?}/$1"
	copy_source "$build_dir/$1"
	make --no-print-directory -s -j"$(nproc)" -C "$build_dir/$1" \
		PG_CONFIG="$PG_CONFIG" with_llvm=no COPT="$2" all
}

# install_build NAME [DESTDIR]
install_build()
{
	make --no-print-directory -s -C "$build_dir/$1" \
		PG_CONFIG="$PG_CONFIG" with_llvm=no DESTDIR="${2:-}" install >/dev/null
}

# private_installation DESTDIR: PostgreSQL under another root, as core's own
# "make check" does: programs copied, since they find the rest relative to
# themselves, everything else linked.  Nothing of the system's is touched.
private_installation()
{
	local root=$1 entry

	mkdir -p "$root$bindir" "$root$pkglibdir" "$root$sharedir/extension"
	cp -L "$bindir"/* "$root$bindir"
	for entry in "$pkglibdir"/* "$sharedir"/* "$sharedir"/extension/*; do
		case $entry in
			"$sharedir"/extension | */bitcode | */dynamo.so | */dynamo.control | */dynamo--*) ;;
			*) ln -s "$entry" "$root$entry" ;;
		esac
	done
}

# ---- clusters that go on running ----

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

# install_somewhere NAME: the build NAME, into the system's PostgreSQL where
# that is allowed; else into a private copy below work_dir, which needs no root.
# root is what stands before bindir then.
install_somewhere()
{
	root=
	if [ -w "$pkglibdir" ] && [ -w "$sharedir/extension" ]; then
		install_build "$1"
		say "installed into $pkglibdir and $sharedir/extension"
	else
		root=$work_dir/postgresql
		private_installation "$root"
		install_build "$1" "$root"
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

# start_cluster: a new one in work_dir, listening on port and on http_port, with
# further settings from standard input.
start_cluster()
{
	choose_socket_dir
	cd "$work_dir"
	as_server_user "$root$bindir/initdb" -D "$work_dir/data" -U postgres -E UTF8 --locale=C.UTF-8 \
		--auth-local=trust --auth-host=scram-sha-256 -N >"$work_dir/initdb.log" 2>&1 ||
		{ cat "$work_dir/initdb.log" >&2; fail "initdb failed"; }
	{
		cat <<-END
			listen_addresses = 'localhost'
			port = $port
			unix_socket_directories = '$socket_dir'
			shared_preload_libraries = 'dynamo'
			dynamo.port = $http_port
		END
		cat
	} | as_server_user tee -a "$work_dir/data/postgresql.conf" >/dev/null
	as_server_user "$root$bindir/pg_ctl" -D "$work_dir/data" -l "$work_dir/server.log" -w -s start ||
		{ tail -n 20 "$work_dir/server.log" >&2; fail "the server did not start"; }
}

cluster_psql()
{
	as_server_user "$root$bindir/psql" -X -h "$socket_dir" -p "$port" -U postgres "$@"
}

# The endpoint's workers find the database a moment after it was made.
await_endpoint()
{
	for _ in $(seq 100); do
		! (exec 3<>"/dev/tcp/127.0.0.1/$http_port") 2>/dev/null || return 0
		sleep 0.1
	done
	fail "nobody listens on port $http_port"
}

# stop_cluster NAME: the one that make_work_dir NAME made room for, with its files.
stop_cluster()
{
	work_dir=$(readlink "$build_dir/$1.dir")
	[ ! -x "$work_dir/postgresql$bindir/pg_ctl" ] || bindir=$work_dir/postgresql$bindir

	cd /
	if as_server_user "$bindir/pg_ctl" -D "$work_dir/data" status >/dev/null 2>&1; then
		as_server_user "$bindir/pg_ctl" -D "$work_dir/data" -m fast -w -s stop
	fi
	[ ! -L "$work_dir/socket" ] || rm -rf "$(readlink "$work_dir/socket")"
	remove_work_dir "$1"
}
