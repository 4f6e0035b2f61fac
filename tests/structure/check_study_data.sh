#!/bin/sh
# usage: check_study_data.sh FOLDER
# Whatever the studies in FOLDER name as {data}/NAME is in datasets/manifest, as a file or as a folder of
# files, so that everybody can have it. What a step takes from another program (step NAME file) is not
# data of this kind.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
cd "$1"
missing=$(
    for study in reports/studies/*/study.txt; do
        awk '$1 == "step" { file = $3 == "file" } !file && $1 !~ /^#/' "$study" | grep -o '{data}/[^ ,]*' | sed 's|^{data}/||' | sort -u | while read -r name; do
            grep -qE "^$name(/[^ ]*)? " datasets/manifest ||
                echo "$study needs $name, which datasets/fetch does not have"
        done
    done
)
[ -z "$missing" ] && exit 0
echo "$missing"
exit 1
