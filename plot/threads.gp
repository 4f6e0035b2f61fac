# Speedup of a threaded variant over itself with one thread, a curve for each size, beside the ideal
# line. For lbp this is Figure 4 of its study. A point's interval is that of its own time; that of
# the single-threaded time is the interval of the first point.
plot_folder = ARG0[1:strlen(ARG0) - strlen("threads.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8
load plot_folder . "sweep.gp"
if (axis_count < 2 || axis_number[1] != 1) { exit }

least = 1
most = axis_number[axis_count]
set print $data
print "# first block"
do for [i = 1:size_count] {
    eval(read_cells)
    one_ms = cell_ms[1] < 1e300 ? cell_ms[1] : 0
    do for [j = 1:axis_count] {
        if (cell_ms[j] < 1e300 && one_ms > 0) {
            print sprintf("%.9g,%.9g,%.9g,%.9g", axis_number[j], one_ms / cell_ms[j], one_ms / cell_high[j], one_ms / cell_low[j])
            if (one_ms / cell_high[j] < least) { least = one_ms / cell_high[j] }
            if (one_ms / cell_low[j] > most) { most = one_ms / cell_low[j] }
        }
    }
    print ""
    print ""
}
set print

key_rows = int((size_count + 3) / 3)
bottom = 44.0 + 12.8 * key_rows
high = int(200 + title_high + bottom)
plot_width = wide * 0.8
axis_title = "Threads"
eval(read_series)
do for [format = 1:2] {
    load plot_folder . "terminal.gp"
    load plot_folder . "value_axis.gp"
    load plot_folder . "sweep_axis.gp"
    if (axis_log) {
        set ytics ()
        do for [power = floor(log(least) / log(2)):ceil(log(most) / log(2))] {
            set ytics add (sprintf("%g", 2.0 ** power) 2.0 ** power)
        }
    } else {
        unset logscale y
        set yrange [0:most * 1.05]
        set ytics autofreq
    }
    set lmargin at screen 0.17
    set rmargin at screen 0.97
    set tmargin at screen 1 - title_high / high
    set bmargin at screen bottom / high
    set title title_of(algorithm . ", " . variant) font ",9.5" offset 0, -0.6
    set ylabel sprintf("Speedup over %s with 1 thread", variant) offset 0.5, 0
    set samples 200
    plot x with lines linecolor rgb guide_colour linewidth 0.9 dashtype 2 notitle, \
         for [i = 1:size_count] $data index i - 1 using 1:2 with linespoints linetype 300 + size_style[i] notitle, \
         for [i = 1:size_count] $data index i - 1 using 1:3:(0):($4 - $3) \
             with vectors heads nofilled size graph 0.012, 90 linetype 300 + size_style[i] notitle, \
         for [i = 1:size_count] keyentry with linespoints linetype 300 + size_style[i] title size_in_words(size_name[i]), \
         keyentry with lines linecolor rgb guide_colour linewidth 0.9 dashtype 2 title "ideal"
    unset output
}
