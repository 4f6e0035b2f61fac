# Opens terminal number `format` (1: SVG, 2: PNG) for a chart of `wide` by `high` px.
if (format == 1) {
    set terminal svg size wide, high noenhanced font "Arial,9" fontscale 1.22 linewidth 1 background rgb "white"
} else {
    set terminal pngcairo size int(wide * png_scale + 0.5), int(high * png_scale) noenhanced font "Arial,9" \
        fontscale png_scale linewidth png_scale pointscale png_scale background rgb "white"
}
set output chart_file[format]
