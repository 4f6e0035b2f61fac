# Opens terminal number `format` (1: SVG, 2: PNG, 3: PDF) for a chart of `wide` by `high` px, with the
# lines and marks around a plot.
if (format == 1) {
    set terminal svg size wide, high noenhanced font "Arial,9" fontscale 1.22 linewidth 1 background rgb "white"
} else { if (format == 2) {
    set terminal pngcairo size int(wide * png_scale + 0.5), int(high * png_scale) noenhanced font "Arial,9" \
        fontscale png_scale linewidth png_scale pointscale png_scale background rgb "white"
} else {
    set terminal pdfcairo size wide / 96.0, high / 96.0 noenhanced font "Arial,9" fontscale 0.75 \
        linewidth 1 background rgb "white"
}}
set output chart_file[format]
set border 3 linewidth 0.75 linecolor rgb "#303030"
set tics nomirror out scale 0.6, 0.3
set xtics border nomirror
set ytics border nomirror
set grid xtics ytics linetype 1 linecolor rgb "#E4E4E4" linewidth 0.5
