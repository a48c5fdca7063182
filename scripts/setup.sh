# setup.sh
#	Installs what building, testing and the demo need: Debian packages, and for
#	"setup.sh clients [browser]" also the programs that t/clients tests the
#	endpoint with.  Asks for nothing; does nothing where all of it is there.
#	PostgreSQL itself is installed only where PG_CONFIG names none.

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

packages=(build-essential curl libcjson-dev libgnutls28-dev libipc-run-perl libmicrohttpd-dev openssl zlib1g-dev)
[ -n "${PG_CONFIG:-}" ] || packages+=(postgresql-15 postgresql-server-dev-15)

for what in "$@"; do
	case $what in
		clients)
			packages+=(awscli python3-boto3)
			command -v npm >/dev/null || packages+=(nodejs npm)
			;;
		browser)
			command -v chromium >/dev/null || packages+=(chromium)
			;;
		*) fail "setup.sh knows nothing of $what" ;;
	esac
done

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

install_missing()
{
	local missing

	mapfile -t missing < <(missing_packages "${packages[@]}")
	[ ${#missing[@]} -gt 0 ] || return 0

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
}

# The npm packages of t/clients, in build/clients: installed once per list of
# versions.
install_npm_packages()
{
	local dir=$build_dir/clients

	! cmp -s "$source_dir/t/clients/package-lock.json" "$dir/installed.json" || return 0
	command -v npm >/dev/null || fail "the tests with clients need Node.js 20 or later and npm"
	say "installing the npm packages of t/clients"
	mkdir -p "$dir"
	cp "$source_dir"/t/clients/{package.json,package-lock.json,.npmrc} "$dir"
	(cd "$dir" && npm ci --ignore-scripts) >"$build_dir/npm.log" 2>&1 </dev/null ||
		{ tail -n 30 "$build_dir/npm.log" >&2; fail "npm failed (see build/npm.log)"; }
	cp "$dir/package-lock.json" "$dir/installed.json"
}

if command -v dpkg-query >/dev/null; then
	install_missing
else
	find_postgresql || fail "this is no Debian system: install PostgreSQL 15 or later with its server development files, cJSON, libmicrohttpd, GnuTLS and Perl's IPC::Run, and set PG_CONFIG"
fi
case " $* " in
	*" clients "*) install_npm_packages ;;
esac
