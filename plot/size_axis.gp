# The horizontal axis of charts against size: real pixel counts (of all images of a set), logarithmic,
# with the names of the sizes as labels. Names are turned where they would touch, and left out where even that is too
# narrow; the marks stay. Uses size_name[], size_pixels[], size_count, plot_width (px), and axis_named,
# which is 0 for a panel that shares the names of the one below it. Gives names_high.

least_pixels = size_pixels[1]
most_pixels = size_pixels[size_count]
if (most_pixels <= least_pixels) { most_pixels = 2 * least_pixels; least_pixels = least_pixels / 2 }
axis_margin = (most_pixels / least_pixels) ** 0.04
set logscale x 10
set xrange [least_pixels / axis_margin:most_pixels * axis_margin]
px_per_unit = plot_width / log10(most_pixels / least_pixels * axis_margin ** 2)

name_px = 5.6
turned_px = 16.0
turn_names = 0
widest_name = 0
do for [i = 1:size_count] {
    if (strlen(size_name[i]) > widest_name) { widest_name = strlen(size_name[i]) }
}
do for [i = 2:size_count] {
    gap_px = (log10(size_pixels[i]) - log10(size_pixels[i - 1])) * px_per_unit
    needed_px = (strlen(size_name[i]) + strlen(size_name[i - 1])) / 2.0 * name_px + 3
    if (gap_px < needed_px) { turn_names = 1 }
}
set xtics () font ",8.5"
if (turn_names) { set xtics rotate by 40 right offset 0.6, 0 } else { set xtics norotate }
# Height of the names and of the axis label below them, px. The label has a place of its own on the
# screen: gnuplot would move it with the size of the names.
names_high = (turn_names ? 12 + 3.9 * widest_name : 22) + 18
last_named = -1e9
do for [i = 1:size_count] {
    at_px = log10(size_pixels[i]) * px_per_unit
    named = axis_named && (at_px - last_named >= turned_px || !turn_names)
    if (named) { last_named = at_px }
    set xtics add ((named ? at_mark(size_name[i]) : "") size_pixels[i])
}
unset mxtics
