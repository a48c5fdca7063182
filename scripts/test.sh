# test.sh
#	Runs every test: regression and isolation tests and TAP with the normal
#	build, then regression and isolation tests once more with assertions
#	enabled in our own code.  The last line is "N passed, N failed", with
#	", N skipped" where a test could not run; before it, each failed test is
#	named once more with the first lines that say why, so that the end of a
#	log is enough to start from.
#
#	Each build runs in a private installation of PostgreSQL, so that neither
#	the system's installation nor its clusters are touched.

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

passed=0
failed=0
skipped=0
failures=()	# of each failed test: its name, and the first lines of why

# Whatever happens, the count is the last line; a run cut short has failed.
finish()
{
	local status=$?

	trap - EXIT
	[ $status = 0 ] || [ $failed -gt 0 ] || failed=1
	[ $((passed + failed)) -gt 0 ] || { failed=1; say "no test ran"; }
	[ ${#failures[@]} = 0 ] || printf '%s\n' "${failures[@]}"
	echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
	[ $failed = 0 ]
	exit
}
trap finish EXIT

strict="-Werror -Wextra -Wno-unused-parameter -Wno-sign-compare -Wno-missing-field-initializers"

# names_of DIRECTORY SUFFIX: the tests of one kind, sorted.
names_of()
{
	local file

	for file in "$source_dir/$1"/*"$2"; do
		[ ! -e "$file" ] || basename "$file" "$2"
	done
}

# first_lines COUNT: of standard input, shortened to the width of a log.
first_lines()
{
	cut -c 1-300 | sed -n "1,$1s/^/    /p"
}

# count_regress BUILD OUTPUT STATUS DIRECTORY: adds the results in pg_regress's
# output to the count: "test NAME ... ok" and, since PostgreSQL 16, "ok 1 - NAME".
# A driver that failed without naming a test counts as one failure.
count_regress()
{
	local build=$1 output=$2 status=$3 dir=$4 ok name names
	local line='^\(test\| \+\) *\([^ ]*\) *\.\.\. .*FAILED.*'
	local tap_line='^not ok [0-9]* *[-+] *\([^ ]*\) .*'

	ok=$(grep -cE '^((test| +).* \.\.\. ok |ok [0-9]+ )' "$output" || true)
	passed=$((passed + ok))
	mapfile -t names < <(sed -n "s/$line/\\2/p; s/$tap_line/\\1/p" "$output")
	[ "$status" = 0 ] || [ ${#names[@]} -gt 0 ] || names=(driver)
	for name in ${names[@]+"${names[@]}"}; do
		failed=$((failed + 1))
		failures+=("not ok: $name, $build build" "$(why_regress "$name" "$dir" "$output")")
	done
}

# why_regress NAME DIRECTORY OUTPUT
why_regress()
{
	local expected=$work_dir/input/expected/$1.out got

	for got in "$2/results/$1.out" "$2/output_iso/results/$1.out"; do
		[ ! -e "$got" ] || { diff "$expected" "$got" | first_lines 12 || true; return; }
	done
	tail -n 12 "$3" | first_lines 12
}

# Shows why at length: the first differences, and what the server said when it
# crashed.
show_failure()
{
	local dir=$1 file

	for file in "$dir/regression.diffs" "$dir/output_iso/regression.diffs"; do
		[ ! -s "$file" ] || { say "$file"; head -n 300 "$file"; }
	done
	for file in "$dir"/log/*.log "$dir"/output_iso/log/*.log; do
		[ ! -e "$file" ] || grep -hE 'TRAP:|PANIC:|FATAL:|terminated by signal' "$file" | tail -n 20 || true
	done
}

# regress BUILD KIND DRIVER DIRECTORY SUFFIX
regress()
{
	local build=$1 kind=$2 driver=$harness/$3 root=$work_dir/$1/postgresql
	local dir=$work_dir/$1/$2 status=0 tests

	mapfile -t tests < <(names_of "$4" "$5")
	[ ${#tests[@]} -gt 0 ] || return 0
	say "$build build: ${#tests[@]} $kind tests"
	as_server_user mkdir -p "$dir"
	(cd "$dir" && as_server_user "$driver" --temp-instance="$dir/instance" --bindir="$root$bindir" \
		--inputdir="$work_dir/input" --outputdir="$dir" --dbname=dynamo_regression \
		--encoding=UTF8 --no-locale --load-extension=dynamo "${tests[@]}") 2>&1 </dev/null |
		tee "$work_dir/$build.$kind.out" || status=$?
	count_regress $build "$work_dir/$build.$kind.out" $status "$dir"
	[ $status = 0 ] || show_failure "$dir"
}

# tap BUILD: each t/*.pl counts as one test.
tap()
{
	local build=$1 root=$work_dir/$1/postgresql dir=$work_dir/$1/tap name status started

	for name in $(names_of t .pl); do
		as_server_user mkdir -p "$dir/$name"
		status=0
		started=$SECONDS
		(cd "$work_dir/input" && as_server_user env PATH="$root$bindir:$PATH" TESTDIR="$dir/$name" \
			PG_REGRESS="$harness/regress/pg_regress" PGPORT=65432 NODE_PATH="$node_modules" \
			timeout 600 prove -v -I "$harness/perl" -I . "t/$name.pl") </dev/null \
			>"$work_dir/tap.out" 2>&1 || status=$?
		if [ $status != 0 ]; then
			failed=$((failed + 1))
			failures+=("not ok: t/$name.pl, status $status" "$(why_tap "$work_dir/tap.out")")
			cat "$work_dir/tap.out"
			tail -n 40 "$dir/$name"/tmp_check/log/* 2>/dev/null || true
		elif grep -q '^Result: NOTESTS' "$work_dir/tap.out"; then
			skipped=$((skipped + 1))
			echo "skipped t/$name.pl: $(sed -n 's/^1\.\.0 # SKIP //p' "$work_dir/tap.out")"
		else
			passed=$((passed + 1))
			echo "ok t/$name.pl: $(grep -c '^ok ' "$work_dir/tap.out") tests, $((SECONDS - started)) s"
		fi
	done
}

# why_tap OUTPUT: what failed and its diagnostics, without those of tests that
# passed; where no test failed, the end of the output.
why_tap()
{
	if grep -q '^not ok' "$1"; then
		grep -A 9 '^not ok' "$1" | grep -E '^(not ok|#)' | first_lines 20
	else
		grep -v '^ok ' "$1" | tail -n 12 | first_lines 12
	fi
}

# The packages of the tests with clients, where the server user can read them.
find_node_modules()
{
	node_modules=$build_dir/clients/node_modules
	if ! as_server_user test -r "$node_modules/playwright-core/package.json"; then
		cp -r "$node_modules" "$work_dir/node_modules"
		node_modules=$work_dir/node_modules
	fi
}

bash "$source_dir/scripts/setup.sh" clients ${DYNAMO_BROWSER:+browser}
find_postgresql || fail "no PostgreSQL with PGXS found: set PG_CONFIG"
find_server_user

say "building with $("$PG_CONFIG" --version), warnings as errors, without and with assertions"
build release "$strict"
build assert "$strict -DUSE_ASSERT_CHECKING=1"

remove_work_dir test
make_work_dir test
# the server user may not be able to read the source: tests run in a copy
copy_source "$work_dir/input"
find_node_modules
for build in release assert; do
	private_installation "$work_dir/$build/postgresql"
	install_build $build "$work_dir/$build/postgresql"
done
chmod -R a+rX "$work_dir"/*
[ "$(id -u)" != 0 ] || chown "$server_user:" "$work_dir"/{release,assert}

for build in release assert; do
	regress $build regression regress/pg_regress sql .sql
	regress $build isolation isolation/pg_isolation_regress specs .spec
done
tap release
