# Kernel time of one variant against one of its tuning axes, a curve for each size, with 95%
# intervals. For the tile width of lbp this is Figure 6 of its study.
plot_folder = ARG0[1:strlen(ARG0) - strlen("tuning.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8
load plot_folder . "sweep.gp"
if (axis_count < 2) { exit }

least = 1e300
most = 0
set print $data
print "# first block"
do for [i = 1:size_count] {
    eval(read_cells)
    do for [j = 1:axis_count] {
        if (cell_ms[j] < 1e300) {
            print sprintf("%.9g,%.9g,%.9g,%.9g", axis_number[j], cell_ms[j], cell_low[j], cell_high[j])
            least = cell_low[j] < least ? cell_low[j] : cell_ms[j] < least ? cell_ms[j] : least
            most = cell_high[j] > most ? cell_high[j] : cell_ms[j] > most ? cell_ms[j] : most
        }
    }
    print ""
    print ""
}
set print

key_rows = int((size_count + 2) / 3)
bottom = 44.0 + 12.8 * key_rows
high = int(170 + title_high + bottom)
plot_width = wide * 0.77
axis_title = axis eq "tile" ? "Tile width (pixels)" : variant . ": " . axis
eval(read_series)
do for [format = 1:2] {
    load plot_folder . "terminal.gp"
    load plot_folder . "value_axis.gp"
    load plot_folder . "sweep_axis.gp"
    set lmargin at screen 0.2
    set rmargin at screen 0.97
    set tmargin at screen 1 - title_high / high
    set bmargin at screen bottom / high
    set title title_of(algorithm . ", " . variant) font ",9.5" offset 0, -0.6
    set ylabel "Kernel time (ms)" offset 0.5, 0
    plot for [i = 1:size_count] $data index i - 1 using 1:2 with linespoints linetype 300 + size_style[i] notitle, \
         for [i = 1:size_count] $data index i - 1 using 1:3:(0):($4 - $3) \
             with vectors heads nofilled size graph 0.012, 90 linetype 300 + size_style[i] notitle, \
         for [i = 1:size_count] keyentry with linespoints linetype 300 + size_style[i] title size_in_words(size_name[i])
    unset output
}
