# common.sh
#	What setup, test and demo share.  Sourced by bash scripts, never run.

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
