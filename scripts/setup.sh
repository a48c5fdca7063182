# setup.sh
#	Installs the Debian packages that building, testing and the demo need.
#	Asks for nothing; does nothing where all of them are there.

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

packages=(build-essential libcjson-dev libgnutls28-dev libipc-run-perl libmicrohttpd-dev postgresql-15 postgresql-server-dev-15 zlib1g-dev)

# The names among the arguments that are not installed.
missing_packages()
{
	local package

	for package in "$@"; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
			echo "$package"
	done
}

as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo -n "$@"
	fi
}

# Debian's package would create and start a cluster "main" that nobody here
# needs: a drop-in file says no for the time of the installation.
install_packages()
{
	local drop_in_dir=/etc/postgresql-common/createcluster.d
	local drop_in=$drop_in_dir/dynamo-setup.conf status=0

	as_root mkdir -p $drop_in_dir
	as_root sh -c "echo 'create_main_cluster = false' > $drop_in"
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
		-o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confold "$@" >"$build_dir/setup.log" 2>&1 </dev/null || status=$?
	as_root rm -f $drop_in
	return $status
}

if ! command -v dpkg-query >/dev/null; then
	find_postgresql || fail "this is no Debian system: install PostgreSQL 15 with its server development files, cJSON and Perl's IPC::Run, and set PG_CONFIG"
	exit 0
fi

mapfile -t missing < <(missing_packages "${packages[@]}")
[ ${#missing[@]} -gt 0 ] || exit 0

[ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null ||
	fail "these packages are missing; install them as root, then run make again: apt-get install ${missing[*]}"

say "installing ${missing[*]}"
mkdir -p "$build_dir"
as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq </dev/null ||
	say "apt-get update failed: trying with the lists that are there"
if ! install_packages "${missing[@]}"; then
	tail -n 30 "$build_dir/setup.log" >&2
	fail "could not install ${missing[*]} (see build/setup.log)"
fi
