#!/bin/sh
# usage: test_rights.sh FOLDER
# bench.sh without the right to install says in one line which packages to ask for and fails; with
# everything there it installs nothing. Runs the scripts in FOLDER with made-up programs in PATH.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/project" "$work/project/.ci"
cp "$1/bench.sh" "$1/test.sh" "$work/project"
cp "$1/.ci/setup.sh" "$work/project/.ci"

# The shell's usual tools, and nothing that the project asks for.
for tool in sh basename dirname cat cut sort tr sed head tail grep mktemp rm mkdir env getconf; do
    ln -s "$(command -v $tool)" "$work/bin/$tool"
done
fake() {
    printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
fake id 'echo 1000'
# shellcheck disable=SC2016 # the made-up program's own arguments
fake apt-get 'echo "$*" >>"'"$work"'/apt-calls"; exit 1'

# expect_failure TEXT: bench.sh list fails, with TEXT in the one line that it writes.
expect_failure() {
    if PATH=$work/bin "$work/project/$script" list >"$work/out" 2>"$work/err" </dev/null; then
        echo "$script did not fail"
        exit 1
    fi
    if [ -s "$work/out" ] || [ "$(wc -l <"$work/err")" -ne 1 ] || ! grep -q "$1" "$work/err"; then
        echo "expected one line with: $1"
        cat "$work/out" "$work/err"
        exit 1
    fi
}

script=bench.sh
expect_failure 'ask for: build-essential cmake libcjson-dev libhwloc-dev libjpeg-dev libopenblas-dev libpng-dev ninja-build pkg-config zlib1g-dev'
script=test.sh
expect_failure 'ask for: .*libcmocka-dev'
[ ! -e "$work/apt-calls" ] || { echo "apt-get was called without the right to"; exit 1; }

# sudo that wants a password and has no terminal to ask on is no right either.
fake sudo 'exit 1'
script=bench.sh
expect_failure 'no right to install packages'

# Other distributions: names of programs and libraries instead of packages.
rm "$work/bin/apt-get"
expect_failure 'missing: pkg-config cc c++ cmake ninja libpng libjpeg zlib libcjson hwloc'

# Only what is missing is asked for.
fake apt-get 'exit 1'
for tool in cc c++ ninja; do fake $tool 'exit 0'; done
# shellcheck disable=SC2016
fake pkg-config '[ "$2" != libcjson ]'
expect_failure 'ask for: cmake libcjson-dev$'
