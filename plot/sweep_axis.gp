# The horizontal axis of charts against a tuning axis, and the key that names the sizes below it.
# Needs sweep.gp, plot_width (px) and `axis_title`.
if (axis_log) { set logscale x 10 } else { unset logscale x }
least_place = axis_place(axis_number[1])
most_place = axis_place(axis_number[axis_count])
place_margin = (most_place - least_place) * 0.05
if (axis_log) {
    set xrange [10 ** (least_place - place_margin):10 ** (most_place + place_margin)]
} else {
    set xrange [least_place - place_margin:most_place + place_margin]
}
px_per_place = plot_width / (most_place - least_place + 2 * place_margin)
set xtics () norotate font ",8.5"
unset mxtics
last_named = -1e9
do for [i = 1:axis_count] {
    at_px = axis_place(axis_number[i]) * px_per_place
    named = at_px - last_named >= 5.6 * strlen(sprintf("%g", axis_number[i])) + 4
    if (named) { last_named = at_px }
    set xtics add ((named ? sprintf("%g", axis_number[i]) : "") axis_number[i])
}
set xlabel axis_title offset 0, 0.4
set key at screen 0.56, screen (bottom - 38.0) / high center top maxrows key_rows Left reverse
