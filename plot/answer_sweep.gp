# Kernel time against an answer axis whose values are numbers, a curve for each variant at its best
# tuning point, with 95% intervals, at one size. For the box side of lacunarity this is Figure 5 of
# its study. ANSWER has the other axes of the answer point, which are the same for all rows.
plot_folder = ARG0[1:strlen(ARG0) - strlen("answer_sweep.gp")]
swept_size = ARG9
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8

# The point without the axis: its parts before and behind it.
part_start(point) = strstrt("," . point, "," . axis . ":")
part_end(point, start) = start + strlen(axis . ":" . axis_value(point, axis))
joined(before, behind) = before eq "" ? behind : behind eq "" ? before : before . "," . behind
rest_of(point, start) = joined(start > 2 ? point[1:start - 2] : "", point[part_end(point, start) + 1:*])
is_number(word) = word ne "" && all_digits(word)
of_chart(unused) = strcol("algorithm") eq algorithm && strcol("input") eq input \
    && strcol("size") eq swept_size && strcol("status") eq "ok" \
    && is_number(axis_value(strcol("answer"), axis)) \
    && rest_of(strcol("answer"), part_start(strcol("answer"))) eq answer
load plot_folder . "series.gp"
if (size_count < 1) { exit }

# series_data.gp takes what it is told to for places along the size axis.
# Rows that are left out have places too: those of the roof have no answer.
swept_value(word) = is_number(word) ? real(word) : NaN
pixels(unused) = swept_value(axis_value(strcol("answer"), axis))
value_column = "kernel_ms_median"
low_column = "kernel_ms_ci_low"
high_column = "kernel_ms_ci_high"
left_out = ""
load plot_folder . "series_data.gp"
if (block_count == 0) { exit }
stats csv using (of_chart(0) ? pixels(0) : NaN) nooutput
first_value = STATS_min
last_value = STATS_max
# Logarithmic where the values span a factor of 4 and are spaced so, and for box sides always.
geometric = first_value > 0 && abs(STATS_median - sqrt(first_value * last_value)) \
    < abs(STATS_median - (first_value + last_value) / 2)
axis_log = first_value > 0 && last_value / first_value >= 4 && (geometric || axis eq "box")

# Of many values a mark at about nine of them, evenly spread, and no intervals.
place(value) = axis_log ? log10(value) : value
mark_step = (place(last_value) - place(first_value)) / 9
marked_place(value, row) = row == 0 || place(value) - last_mark >= mark_step \
    ? (last_mark = place(value), value) : NaN

key_rows = int((block_count + key_columns - 1) / key_columns)
names_high = 40.0
key_high = 6 + 12.8 * key_rows
bottom = names_high + key_high
high = int(195 + title_high + bottom)
key_title = ""
roof_count = 0
array roof_title[1] = [""]
array roof_dash[1] = [1]
axis_words = axis eq "box" ? "Box side (pixels)" : axis
eval(read_series)
many = 0
do for [i = 1:block_count] {
    stats $data index i - 1 using 1 nooutput
    if (STATS_records > 24) { many = 1 }
}
do for [format = 1:2] {
    load plot_folder . "terminal.gp"
    load plot_folder . "frame.gp"
    set multiplot
    load plot_folder . "value_axis.gp"
    set lmargin at screen 0.2
    set rmargin at screen 0.97
    set tmargin at screen 1 - title_high / high
    set bmargin at screen bottom / high
    set title title_of(algorithm . " at " . size_in_words(swept_size)) font ",9.5" offset 0, -0.6
    set ylabel "Kernel time (ms)" offset 0.5, 0
    set label 2 axis_words . (axis_log ? ", logarithmic" : "") center at graph 0.5, screen (key_high + 8.0) / high
    set xtics () norotate font ",8.5"
    if (axis_log) {
        set logscale x 10
        margin = (last_value / first_value) ** 0.04
        set xrange [first_value / margin:last_value * margin]
        # Powers of two where the values begin with one, every one, or every second or third where
        # they are many; else 1, 2 and 5 of each power of ten.
        exponent = log(first_value) / log(2)
        steps_between = ceil((log(last_value / first_value) / log(2)) / 9.0)
        if (abs(exponent - floor(exponent + 0.5)) < 1e-9) {
            do for [power = ceil(exponent - 1e-9):floor(log(last_value) / log(2) + 1e-9)] {
                named = (power % steps_between) == 0
                set xtics add ((named ? sprintf("%.0f", 2.0 ** power) : "") 2.0 ** power)
            }
        } else {
            do for [decade = floor(log10(first_value)):floor(log10(last_value))] {
                do for [step in "1 2 5"] {
                    set xtics add (sprintf("%g", step * 10.0 ** decade) step * 10.0 ** decade)
                }
            }
        }
    } else {
        unset logscale x
        margin = (last_value - first_value) * 0.04
        set xrange [first_value - margin:last_value + margin]
        set xtics autofreq
        set format x "%g"
    }
    unset key
    if (many) {
        plot for [i = 1:block_count] $data index i - 1 using 1:2 smooth unique with lines \
                 linetype variant_style[block_variant[i]] notitle, \
             for [i = 1:block_count] $data index i - 1 using (marked_place($1, $0)):2 with points \
                 linetype variant_style[block_variant[i]] notitle
    } else {
        plot for [i = 1:block_count] $data index i - 1 using 1:2 smooth unique with linespoints \
                 linetype variant_style[block_variant[i]] notitle, \
             for [i = 1:block_count] $data index i - 1 using 1:3:(0):($4 - $3) \
                 with vectors heads nofilled size graph 0.012, 90 linetype variant_style[block_variant[i]] dashtype solid notitle
    }
    load plot_folder . "key_panel.gp"
    unset multiplot
    unset output
}
