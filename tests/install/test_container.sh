#!/bin/bash
# usage: test_container.sh SOURCE [NAME=VALUE…]
# Carries out .ci/Containerfile of SOURCE step by step in bare Debian roots, each image a folder, and
# runs what it made as its user in its folder. NAME=VALUE are build arguments. No part of ctest: it takes
# some minutes, needs root and the network. Exits 77 where it cannot be done.
set -euo pipefail
unset CDPATH # else cd may go elsewhere, and print where
skip() {
    echo "skipped: needs $1"
    exit 77
}
fail() {
    echo "$*"
    exit 1
}
[ "$(id -u)" = 0 ] || skip root
command -v mmdebstrap >/dev/null || skip mmdebstrap
unshare --mount true 2>/dev/null || skip "the right to mount"

source=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
declare -A given=() args=() variables=() image_of=()
for pair in "$@"; do given[${pair%%=*}]=${pair#*=}; done
image="" user=root folder=/ entrypoint="" command=""

# expand TEXT: with the values of ${NAME}.
expand() {
    local text=$1 name
    while [[ $text =~ \$\{([A-Za-z_]+)\} ]]; do
        name=${BASH_REMATCH[1]}
        text=${text/"${BASH_REMATCH[0]}"/"${variables[$name]:-${args[$name]:-}}"}
    done
    printf '%s' "$text"
}

# in_image COMMAND…: as the image's user in its folder, with its variables. The mounts are of a name
# space that ends with the command.
in_image() {
    local name environment=()
    for name in "${!variables[@]}"; do environment+=("$name=${variables[$name]}"); done
    # shellcheck disable=SC2016 # for that shell
    unshare --mount sh -c '
        root=$1 user=$2 folder=$3
        shift 3
        mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" && mount -t tmpfs tmpfs "$root/dev/shm" &&
            exec chroot --userspec="$user" "$root" env -i --chdir="$folder" "$@"' \
        sh "$image" "$user" "$folder" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME="$(awk -F: -v user="$user" '$1 == user { print $6 }' "$image/etc/passwd")" LC_ALL=C.UTF-8 \
        "${environment[@]}" "$@"
}

# words of ["a", "b"], one a line; none of them has a quotation mark in it.
words_of() {
    [[ $1 =~ ^\[.*\]$ ]] || fail "only the form [\"program\", …] is known, not: $1"
    grep -o '"[^"]*"' <<<"$1" | tr -d '"'
}

step_ARG() {
    local name=${1%%=*} default=""
    [[ $1 != *=* ]] || default=$(expand "${1#*=}")
    args[$name]=${given[$name]-${args[$name]-$default}}
    [ -z "$image" ] || variables[$name]=${args[$name]}
}

step_FROM() {
    local base suite
    base=$(expand "${1%% *}")
    suite=$(sed -n 's|^docker.io/library/debian:\([a-z]*\)-slim$|\1|p' <<<"$base")
    [ -n "$suite" ] || fail "only images of Debian can be tried here, not $base"
    [ -e "$work/$suite.tar" ] ||
        mmdebstrap --quiet --variant=minbase "$suite" "$work/$suite.tar" >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
    image=$work/image${#image_of[@]}
    mkdir "$image"
    tar -xf "$work/$suite.tar" -C "$image"
    image_of[${1##* }]=$image
    variables=()
    user=root folder=/ entrypoint="" command=""
}

step_RUN() {
    in_image /bin/sh -c "$1" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "failed: RUN $1"; }
}

step_COPY() {
    local from=$source words target
    read -ra words <<<"$(expand "$1")"
    if [[ ${words[0]} == --from=* ]]; then
        from=${image_of[${words[0]#--from=}]}
        words=("${words[@]:1}")
    fi
    target=${words[-1]}
    [[ $target == /* ]] || target=$folder/$target
    if [ "$from" = "$source" ]; then
        [ "${words[*]}" = ". ." ] || fail "of the source tree only all of it can be copied, not: $1"
        grep -v '^#' "$source/.dockerignore" | sed 's|^|./|' >"$work/ignored"
        mkdir -p "$image$target"
        tar -C "$source" --anchored --exclude-from="$work/ignored" -cf - . | tar --no-same-owner -xf - -C "$image$target"
    else
        mkdir -p "$image$target"
        # shellcheck disable=SC2086 # a pattern
        cp -r $from${words[0]} "$image$target"
    fi
}

step_USER() { user=$(expand "$1"); }
step_WORKDIR() { folder=$(expand "$1"); mkdir -p "$image$folder"; }
step_ENV() { variables[${1%%=*}]=$(expand "${1#*=}"); }
step_ENTRYPOINT() { entrypoint=$(words_of "$1"); }
step_CMD() { command=$(words_of "$1"); }

# Comments away, continued lines joined.
grep -v '^ *#' "$source/.ci/Containerfile" | sed -e ':next' -e '/\\$/{N;s/\\\n *//;b next' -e '}' | grep -v '^$' >"$work/steps"
while read -r -u 3 instruction rest; do
    start=$SECONDS
    declare -F "step_$instruction" >/dev/null || fail "what is $instruction?"
    "step_$instruction" "$rest"
    printf '%4d s  %s %.90s\n' $((SECONDS - start)) "$instruction" "$rest"
done 3<"$work/steps"

[ "$(in_image id -u)" != 0 ] || fail "the program runs as root"
mapfile -t program <<<"$entrypoint"
mapfile -t arguments <<<"$command"
in_image "${program[@]}" "${arguments[@]}" >"$work/out" || fail "the image's own command failed: $entrypoint $command"
grep -q lbp "$work/out" || { cat "$work/out"; fail "it lists no lbp"; }
in_image "${program[@]}" --version
in_image "${program[@]}" --algo lbp --sizes 64x64 --reps 3 --no-roof --out run >"$work/out" 2>&1 ||
    { cat "$work/out"; fail "a run failed"; }
for file in results.csv results.json; do
    [ -s "$image$folder/run/$file" ] || fail "no $file in $folder/run"
done
ls "$image$folder"/run/*.svg >/dev/null || fail "no chart was drawn"
[ "$(stat -c %u "$image$folder/run/results.csv")" != 0 ] || fail "root wrote the results"
in_image "${program[@]}" --algo hashsift --sizes 64x64 --variants simd --reps 3 --no-roof --no-plot --out blas >"$work/out" 2>&1 ||
    { cat "$work/out"; fail "hashsift failed"; }
grep -q '^hashsift,simd,.*,ok,' "$image$folder/blas/results.csv" || { cat "$work/out"; fail "hashsift finds no OpenBLAS"; }
[ ! -e "$image/usr/bin/cc" ] || fail "the image has a compiler"
