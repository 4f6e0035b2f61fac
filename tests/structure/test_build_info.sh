#!/bin/sh
# usage: test_build_info.sh FOLDER CMAKE
# bench/build_info.cmake of FOLDER knows which commit is built: in a repository, where git archive
# put the tree, inside another project's repository, and where it is told. Exits 77 (skipped)
# without git.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
root=$1
cmake=$2
command -v git >/dev/null || { echo "skipped: git is not installed"; exit 77; }
unset BENCH_COMMIT GIT_DIR GIT_WORK_TREE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
failed=no

# commit_all FOLDER: makes it a repository, if it is none, and commits everything.
commit_all() {
    git -C "$1" init -q
    git -C "$1" add -A
    GIT_COMMITTER_DATE='2001-02-03T04:05:06Z' git -C "$1" -c user.name=test -c user.email=test@localhost commit -q --allow-empty -m test
}

# expect WHAT COMMIT DIRTY FOLDER [OPTION…]: what build_info.h says of the tree in FOLDER.
expect() {
    what=$1 want="$2 $3" folder=$4
    shift 4
    rm -f build_info.h
    "$cmake" "-DSOURCE=$work/$folder" -DOUTPUT=build_info.h "$@" -P "$root/bench/build_info.cmake"
    got=$(sed -n 's/^#define BUILD_\(COMMIT\|DIRTY\) "\(.*\)"$/\2/p' build_info.h | tr '\n' ' ')
    if [ "$got" != "$want " ]; then
        echo "$what: '$got', expected '$want'"
        failed=yes
    fi
}

# expect_date WHAT DATE: what the header that expect has written last says.
expect_date() {
    got=$(sed -n 's/^#define BUILD_DATE "\(.*\)"$/\1/p' build_info.h)
    if [ "$got" != "$2" ]; then
        echo "$1: dated $got, expected $2"
        failed=yes
    fi
}

tree() {
    mkdir -p "$1/bench"
    cp "$root/.gitattributes" "$1/"
    printf '%s\n' "\$Format:%H\$" "\$Format:%cs\$" >"$1/bench/commit.txt" # as committed: FOLDER may be an archive itself
    echo old >"$1/code"
}

tree own
commit_all own
old=$(git -C own rev-parse HEAD)
expect "a clone" "$old" no own
expect_date "a clone" 2001-02-03
git clone -q own outdated
echo new >own/code
expect "a clone with changes" "$old" yes own
commit_all own
new=$(git -C own rev-parse HEAD)

mkdir archive
git -C own archive HEAD | tar -x -C archive
expect "an archive" "$new" unknown archive
expect_date "an archive" 2001-02-03
git -C own archive HEAD | tar -x -C outdated
expect "an archive over an older clone" "$new" unknown outdated

mkdir foreign
tree foreign/copy
commit_all foreign
expect "a copy in another project's repository" unknown unknown foreign/copy
cp -r archive foreign/archive
expect "an archive in another project's repository" "$new" unknown foreign/archive

cp -r archive imported
echo ours >imported/code
commit_all imported
expect "an archive that became a repository" "$(git -C imported rev-parse HEAD)" no imported

# What a person has set for himself: a signature that git shows, a monitor of files, another repository.
printf '#!/bin/sh\necho gpg: Good signature >&2\n: >>%s/started\n' "$work" >monitor
chmod +x monitor
git -C own cat-file commit HEAD | sed '/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----' >signed
git -C own reset -q --soft "$(git -C own hash-object -t commit -w --stdin <signed)"
cat >settings <<END
[log]
    showSignature = true
[color]
    ui = always
    status = always
[format]
    pretty = raw
[gpg]
    program = $work/monitor
[core]
    fsmonitor = $work/monitor
END
expect_set() {
    GIT_CONFIG_GLOBAL=$work/settings GIT_DIR=$work/foreign/.git GIT_WORK_TREE=$work/foreign \
        GIT_INDEX_FILE=$work/index expect "$@"
}
signed=$(git -C own rev-parse HEAD)
expect_set "a signed commit" "$signed" no own
expect_date "a signed commit" 2001-02-03
echo newer >own/code
expect_set "a signed commit with changes" "$signed" yes own
echo new >own/code
expect_set "an archive beside another repository" "$new" unknown archive
if [ -e started ]; then
    echo "the monitor of files was started, or the signature looked at"
    failed=yes
fi
new=$signed

expect "the option" 0123abc no own -DBENCH_COMMIT=0123abc
expect "the option, with changes" 0123abc yes archive -DBENCH_COMMIT=0123abc-dirty
BENCH_COMMIT=4567def expect "the variable" 4567def no own
BENCH_COMMIT=4567def expect "the option before the variable" 0123abc no own -DBENCH_COMMIT=0123abc
expect "an empty option" "$new" no own -DBENCH_COMMIT=
if "$cmake" "-DSOURCE=$work/own" -DOUTPUT=build_info.h -DBENCH_COMMIT=main \
    -P "$root/bench/build_info.cmake" 2>errors; then
    echo "a commit named 'main' was taken"
    failed=yes
fi
grep -q "BENCH_COMMIT is 'main'" errors || { cat errors; failed=yes; }
[ $failed = no ]
