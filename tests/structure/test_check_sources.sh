#!/bin/sh
# usage: test_check_sources.sh FOLDER
# Proves that check_sources.sh finds what it is there for: seeds violations into a copy of the source
# tree in FOLDER and expects each to be named, and harmless code not to be.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
here=$(cd "$(dirname "$0")" && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
(cd "$1" && tar -cf - bench cpu datasets kernels plot tests) | tar -C "$copy" -xf -

mkdir "$copy/cpu/sibling" "$copy/kernels/sibling"
echo >"$copy/cpu/sibling/sibling.h"

# What must not be taken for a violation.
cat >"$copy/cpu/lbp/harmless.c" <<'CODE'
/* A comment may speak of exit(1)
 * and of #include "text.h". */
#include "lbp.h"
#include "cpu_variant.h"
#include <string.h>
int at_exit(int); // exit(2)
CODE
before=$("$here/check_sources.sh" "$copy") || true
case $before in *harmless*) echo "harmless code is complained of: $before"; exit 1 ;; esac

# seed FILE LINE TEXT: FILE, new or not, with LINE appended must give TEXT. All are looked for at once,
# at the end.
seed() {
    printf '%s\n' "$2" >>"$copy/$1"
    printf '%s: %s\n' "$1" "$3" >>"$copy/expected"
}

seed bench/api/status.c '#include "text.h"' 'includes text.h of bench/base'
seed bench/api/status.c '#include <text.h>' 'includes text.h of bench/base'
seed bench/api/status.c '#  include "datasets.h"' 'includes datasets.h of datasets'
seed bench/base/registry.c '#include "lbp.h"' 'includes lbp.h of cpu/lbp'
seed bench/base/text.c '#include "machine.h"' 'includes machine.h of bench/machine'
seed bench/run/plan.c '#include "cli.h"' 'includes cli.h of bench/cli'
seed bench/run/plan.c '#include "report.h"' 'includes report.h of bench/report'
seed bench/run/plan.c '#include "apps.h"' 'includes apps.h of bench/apps'
seed bench/chart/svg.c '#include "report.h"' 'includes report.h of bench/report'
seed bench/report/html.c '#include "run.h"' 'includes run.h of bench/run'
seed plot/look.c '#include "chart.h"' 'includes chart.h of bench/chart'
seed bench/results/row.c '#include "look.h"' 'includes look.h of plot'
seed bench/compare/judge.c '#include "run.h"' 'includes run.h of bench/run'
seed bench/study/check.c 'void seeded(void) { chart_series(document, chart, "", 0, 0); }' 'builds a chart'
seed bench/apps/textures/model.c '#include "cli.h"' 'includes cli.h of bench/cli'
seed bench/apps/curve/curve.c '#include "textures_internal.h"' 'includes textures_internal.h of bench/apps/textures'
seed bench/apps/recognise/model.c '#include "lbp.h"' 'includes lbp.h of cpu/lbp'
seed bench/apps/curve/curve.c '#include "samples.h"' 'includes samples.h of bench/judge'
seed bench/apps/curve/curve.c '#include "hash_index.h"' 'includes hash_index.h of bench/base, which is not public'
seed bench/apps/recognise/model.c '#include "cpu_variant.h"' 'includes cpu_variant.h of cpu/common, which is not public'
seed bench/public.txt 'harness: nothing' 'names bench/harness/nothing.h, which no application includes'
seed bench/results/row.c '#include "run.h"' 'includes run.h of bench/run'
seed cpu/lbp/seeded.c '#include "results.h"' 'includes results.h of bench/results'
seed cpu/lbp/seeded.c '#include "sibling.h"' 'includes sibling.h of cpu/sibling'
seed cpu/lbp/seeded.c '#include "../sibling/sibling.h"' 'includes ../sibling/sibling.h by a path'
seed cpu/common/seeded.h '#include "lbp.h"' 'includes lbp.h of cpu/lbp'
seed kernels/common/seeded.cu '#include "lbp.h"' 'includes lbp.h of cpu/lbp'
seed kernels/sibling/seeded.cu '#include "lbp.h"' 'includes lbp.h of cpu/lbp'
seed tests/api/test_status.c '        skip();' 'calls skip; skip_needing of needs.h'
seed tests/api/test_status.c '#include <cmocka.h>' 'includes cmocka; tests are defined by TEST'
seed kernels/sibling/seeded.cu '#include "text.h"' 'includes text.h of bench/base'
# shellcheck disable=SC2016 # it is the script's
seed tests/skipped.sh 'cd "$HOME"' 'changes its folder and does not unset CDPATH'
seed datasets/seeded.c '#include "lbp.h"' 'includes lbp.h of cpu/lbp'
seed cpu/lbp/seeded.c '    exit (1);' 'calls exit'
seed kernels/lbp/seeded.cu 'if (bad) exit(1);' 'calls exit'


if "$here/check_sources.sh" "$copy" >"$copy/found"; then
    echo "nothing was found"
    exit 1
fi
sort "$copy/expected" | uniq -c | while read -r count text; do
    if [ "$(grep -cF -e "$text" "$copy/found")" -ne "$count" ]; then
        echo "expected $count times: $text"
        cat "$copy/found"
        exit 1
    fi
done
# And nothing else.
printf '%s\n' "$before" | sed '/^$/d' | cat - "$copy/expected" | wc -l | {
    read -r lines
    [ "$(wc -l <"$copy/found")" -eq "$lines" ] || { cat "$copy/found"; echo "expected $lines lines"; exit 1; }
}
