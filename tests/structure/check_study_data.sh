#!/bin/sh
# usage: check_study_data.sh FOLDER
# Whatever the studies in FOLDER name as {data}/NAME is in datasets/manifest, as a file or as a folder of
# files, so that everybody can have it.
set -eu
cd "$1"
missing=$(
    for study in reports/studies/*/study.txt; do
        grep -v '^ *#' "$study" | grep -o '{data}/[^ ,]*' | sed 's|^{data}/||' | sort -u | while read -r name; do
            grep -qE "^$name(/[^ ]*)? " datasets/manifest ||
                echo "$study needs $name, which datasets/fetch does not have"
        done
    done
)
[ -z "$missing" ] && exit 0
echo "$missing"
exit 1
