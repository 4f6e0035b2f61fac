#!/bin/sh
# usage: check_sources.sh FOLDER
# Checks the rules of the source tree in FOLDER that no compiler checks; prints each violation and
# exits 1 when there is one:
#   - includes go one way: kernels/<a> -> cpu/<a> -> bench/api <- bench, and never between siblings;
#     within bench as bench/rooms.txt says; datasets -> bench/base;
#   - applications include public headers (bench/public.txt), harness.h and their own, and every public
#     header is there for one of them;
#   - only bench/main.c may call exit;
#   - only bench/chart builds charts: others ask for a row of its table of kinds;
#   - tests are skipped by tests/needs.h alone, so that each says what it needs and is counted;
#   - cmocka is included by tests/test.h alone, whose TEST registers what it defines;
#   - a shell script that changes its folder unsets CDPATH.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
cd "$1"

sources() {
    find "$@" -type f | grep -E '\.(c|h|cu|cuh|inc|def)$' | LC_ALL=C sort
}

violations=$(
    sources bench cpu datasets kernels plot | LC_ALL=C awk '
    BEGIN {
        while ((getline line < "bench/rooms.txt") > 0) {
            if (line !~ /^[a-z.]/) continue
            room = line ~ /^\.\.\// ? substr(line, 4) : "bench/" line
            sub(/:.*/, "", room)
            sub(/^[^:]*:/, "", line)
            count = split(line, seen, " ")
            sees[room] = room
            for (i = 1; i <= count; i++) {
                sees[room] = sees[room] " " (seen[i] == "." ? "bench" : seen[i] ~ /^\.\.\// ? substr(seen[i], 4) : "bench/" seen[i])
            }
            sees[room] = sees[room] " bench/api"
        }
        while ((getline line < "bench/public.txt") > 0) {
            if (line !~ /^[a-z.]/) continue
            folder = line ~ /^\.\.\// ? substr(line, 4) : "bench/" line
            sub(/:.*/, "", folder)
            sub(/^[^:]*:/, "", line)
            count = split(line, seen, " ")
            for (i = 1; i <= count; i++) public[folder "/" seen[i] ".h"] = 1
        }
    }
    function is_of_apps(room) {
        return room == "bench/apps" || room ~ /^bench\/apps\//
    }
    function room_of(path) {
        if (path ~ /^datasets\//) return "datasets"
        sub(/\/[^\/]*$/, "", path)
        return path
    }
    # The folders that files of a room may include from, separated by spaces.
    function allowed_in(room,   parts) {
        split(room, parts, "/")
        if (room in sees) return sees[room]
        if (room == "bench") return "bench/apps bench/cli bench/base bench/api" # main.c
        if (room == "bench/api") return "bench/api"
        if (parts[1] "/" parts[2] == "bench/module") return room " cpu/common kernels/common bench/api"
        if (room == "datasets") return "datasets bench/base bench/api"
        if (parts[1] == "bench") return "bench/api"
        if (parts[1] == "cpu") return room " cpu/common bench/api"
        return room " kernels/common cpu/" parts[2] " cpu/common bench/api"
    }
    function check_include(path, name, quoted,   rooms, count, i, homes) {
        # Written by the build, and seen by bench/ alone.
        if (name == "build_info.h" && path ~ /^bench\//) return
        count = split(allowed_in(room_of(path)), rooms, " ")
        for (i = 1; i <= count; i++) {
            if (!((rooms[i] "/" name) in exists)) continue
            included[rooms[i] "/" name] = is_of_apps(room_of(path)) ? 1 : included[rooms[i] "/" name]
            if (is_of_apps(room_of(path)) && !is_of_apps(rooms[i]) && rooms[i] != "bench/harness" &&
                !((rooms[i] "/" name) in public)) {
                print path ": includes " name " of " rooms[i] ", which is not public"
            }
            return
        }
        homes = home[name]
        if (homes != "") {
            print path ": includes " name " of" homes ", which " room_of(path) " may not see"
        } else if (quoted && name ~ /\//) {
            print path ": includes " name " by a path; name the header alone"
        } else if (quoted) {
            print path ": includes " name ", which is not in " allowed_in(room_of(path))
        }
    }
    function without_comments(line,   start, end, kept) {
        kept = ""
        while (line != "") {
            if (in_comment) {
                end = index(line, "*/")
                if (end == 0) return kept
                line = substr(line, end + 2)
                in_comment = 0
            } else {
                start = index(line, "/*")
                if (start == 0) { kept = kept line; break }
                kept = kept substr(line, 1, start - 1)
                line = substr(line, start + 2)
                in_comment = 1
            }
        }
        sub(/\/\/.*/, "", kept)
        return kept
    }
    {
        paths[NR] = $0
        exists[$0] = 1
        name = $0
        sub(/.*\//, "", name)
        home[name] = home[name] " " room_of($0)
    }
    END {
        for (i = 1; i <= NR; i++) {
            in_comment = 0
            while ((getline line < paths[i]) > 0) {
                line = without_comments(line)
                if (line ~ /^[ \t]*#[ \t]*include[ \t]*["<]/) {
                    quoted = line ~ /"/
                    sub(/^[^"<]*["<]/, "", line)
                    sub(/[">].*/, "", line)
                    check_include(paths[i], line, quoted)
                } else if (paths[i] != "bench/main.c" && line ~ /(^|[^A-Za-z0-9_])exit[ \t]*\(/) {
                    print paths[i] ": calls exit; only bench/main.c may, others return a Status"
                } else if (room_of(paths[i]) != "bench/chart" &&
                           line ~ /(^|[^A-Za-z0-9_])(document_chart|chart_(series|panel|point|dot|tick|mark))[ \t]*\(/) {
                    print paths[i] ": builds a chart; chart_build of bench/chart makes one of its kinds"
                }
            }
            close(paths[i])
        }
        for (header in public) {
            if (included[header] != 1) print "bench/public.txt: names " header ", which no application includes"
        }
    }'
)
skips=$(sources tests | xargs grep -nE '(^|[^A-Za-z0-9_])skip\(\)' | grep -v '^tests/needs.h:' |
    sed 's/:[0-9]*:.*/: calls skip; skip_needing of needs.h says what is needed/')
cmocka=$(sources tests | xargs grep -lE '^#include <cmocka' | grep -v '^tests/test.h$' |
    sed 's/$/: includes cmocka; tests are defined by TEST of test.h/') || true
scripts=$(find .ci bench.sh test.sh datasets/fetch reports tests -type f -print0 2>/dev/null |
    xargs -0 grep -lIE '^#!.*/(env )?(ba|da)?sh$' | xargs -r grep -lE '(^|[^-[:alnum:]_])cd ["$/.]' |
    xargs -r grep -LE '^unset CDPATH' | sed 's/$/: changes its folder and does not unset CDPATH/') || true
violations=$(printf '%s\n%s\n%s\n%s\n' "$violations" "$skips" "$cmocka" "$scripts" | sed '/^$/d')
[ -z "$violations" ] && exit 0
printf '%s\n' "$violations"
exit 1
