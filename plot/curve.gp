# Lacunarity against box side: on the left Λ, both axes logarithmic; on the right log10 of the
# normalised curve Λ(r) / Λ(1) against the same axis. Figure 2 of the study of lacunarity.
#
#   gnuplot -c curve.gp curves.tsv TITLE "" "" chart.svg chart.png
#
# The file has columns curve, label, box, lambda and log_normalised; the curves are numbered from 1,
# and the last column may be empty.
plot_folder = ARG0[1:strlen(ARG0) - strlen("curve.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6

rows = 0
curve_count = 0
first_box = 1e300
last_box = 0
lambda_least = 1e300
lambda_most = 0
down = 0.0
up = 0.0
normalised_count = 0
array label_of_curve[32]
array rows_of_curve[32]
do for [i = 1:32] { label_of_curve[i] = ""; rows_of_curve[i] = 0 }
least_of(a, b) = a < b ? a : b
most_of(a, b) = a > b ? a : b
note_normalised(value) = (down = least_of(down, value), up = most_of(up, value), normalised_count = normalised_count + 1, 1)
note_row(i) = (rows = rows + 1, curve_count = most_of(curve_count, i), \
    label_of_curve[i] = strcol("label"), rows_of_curve[i] = rows_of_curve[i] + 1, \
    first_box = least_of(first_box, column("box")), last_box = most_of(last_box, column("box")), \
    lambda_least = least_of(lambda_least, column("lambda")), lambda_most = most_of(lambda_most, column("lambda")), \
    strlen(strcol("log_normalised")) > 0 ? note_normalised(column("log_normalised")) : 0, 1)
stats csv using (note_row(int(column("curve")))) nooutput
if (rows < 2 || last_box <= first_box) { exit }

# Curves of many points have a mark at about nine of them, evenly spread over the axis.
mark_step = log10(last_box / first_box) / 9
is_marked(i, box) = rows_of_curve[i] <= 24 ? 1 \
    : i != marked_curve || log10(box) - last_mark >= mark_step ? (marked_curve = i, last_mark = log10(box), 1) : 0
box_of(i) = column("curve") == i ? column("box") : NaN
mark_of(i) = column("curve") == i && is_marked(i, column("box")) ? column("box") : NaN
normalised_here(unused) = strlen(strcol("log_normalised")) > 0 ? column("log_normalised") : NaN
style_of(i) = i <= 8 ? 200 + i : 100 + i - 8
widest_label = 0
do for [i = 1:curve_count] { widest_label = most_of(widest_label, strlen(label_of_curve[i])) }

# Places, px.
panel_count = normalised_count > 0 ? 2 : 1
left = 62.0
plot_width = 226.0
gap = 66.0
wide = left + panel_count * plot_width + (panel_count - 1) * gap + 14.0
top = ARG2 eq "" ? 10.0 : 24.0
panel_high = 190.0
names_high = 40.0
key_columns = int(0.96 * wide / (5.4 * widest_label + 46))
key_columns = key_columns < 1 ? 1 : key_columns > curve_count ? curve_count : key_columns
key_rows = int((curve_count + key_columns - 1) / key_columns)
key_high = 8 + 12.8 * key_rows
bottom = names_high + key_high
high = int(top + panel_high + bottom)
least_shown = lambda_least < 1 ? lambda_least : 1.0
most_shown = lambda_most > least_shown ? lambda_most : 10 * least_shown
reach = up - down > 0 ? up - down : 1.0

do for [format = 1:2] {
    load plot_folder . "terminal.gp"
    load plot_folder . "frame.gp"
    set multiplot
    do for [panel = 1:panel_count] {
        if (panel == 1) {
            least = least_shown
            most = most_shown
            load plot_folder . "value_axis.gp"
        } else {
            unset logscale y
            set yrange [down - 0.05 * reach:up + 0.05 * reach]
            set ytics autofreq font ",8.5"
            set ytics add autofreq
            set format y "%g"
        }
        set logscale x 10
        margin = (last_box / first_box) ** 0.04
        set xrange [first_box / margin:last_box * margin]
        set xtics () norotate font ",8.5"
        unset mxtics
        step = ceil((log(last_box / first_box) / log(2)) / 9.0)
        do for [power = ceil(log(first_box) / log(2) - 1e-9):floor(log(last_box) / log(2) + 1e-9)] {
            set xtics add ((power % step == 0 ? sprintf("%.0f", 2.0 ** power) : "") 2.0 ** power)
        }
        panel_left = left + (panel - 1) * (plot_width + gap)
        set lmargin at screen panel_left / wide
        set rmargin at screen (panel_left + plot_width) / wide
        set tmargin at screen 1 - top / high
        set bmargin at screen bottom / high
        unset label
        set label 1 (panel == 1 ? "Lacunarity Λ(r)" : "log₁₀ Λ(r) / Λ(1)") center rotate by 90 \
            at screen (panel_left - 50) / wide, graph 0.5
        set label 2 "Box side r (pixels, logarithmic)" center at graph 0.5, screen (key_high + 8.0) / high
        if (panel == 1) { set label 3 cut(ARG2, int(wide / 6.1)) center at screen 0.5, screen 1 - 11.0 / high font ",9.5" }
        unset key
        marked_curve = 0
        last_mark = 0
        if (panel == 1) {
            plot for [i = 1:curve_count] csv using (box_of(i)):(column("lambda")) with lines linetype style_of(i) notitle, \
                 for [i = 1:curve_count] csv using (mark_of(i)):(column("lambda")) with points linetype style_of(i) notitle
        } else {
            plot for [i = 1:curve_count] csv using (box_of(i)):(normalised_here(0)) with lines linetype style_of(i) notitle, \
                 for [i = 1:curve_count] csv using (mark_of(i)):(normalised_here(0)) with points linetype style_of(i) notitle
        }
    }
    unset label
    unset logscale
    unset tics
    unset border
    set xrange [0:1]
    set yrange [0:1]
    set lmargin at screen 0.02
    set rmargin at screen 0.98
    set tmargin at screen key_high / high
    set bmargin at screen 0
    set key at screen 0.5 + 0.03, screen key_high / high center top maxrows key_rows Left reverse
    plot NaN notitle, \
         for [i = 1:curve_count] keyentry with linespoints linetype style_of(i) title label_of_curve[i]
    unset multiplot
    unset output
}
