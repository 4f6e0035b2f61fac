# Loss against step of a training of descriptors, and on the right the share of places whose triplet
# is not yet far enough apart.
#
#   gnuplot -c learning.gp curve.csv TITLE "" "" chart.svg chart.png
#
# The file has columns step, loss and share.
plot_folder = ARG0[1:strlen(ARG0) - strlen("learning.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6

stats csv using (column("step")):(column("loss")) nooutput
if (STATS_records < 2) { exit }
last_step = STATS_max_x
most_loss = STATS_max_y

high = 230.0
do for [format = 1:2] {
    load plot_folder . "terminal.gp"
    load plot_folder . "frame.gp"
    set border 11
    set lmargin at screen 64 / wide
    set rmargin at screen 1 - 62 / wide
    set tmargin at screen 1 - (ARG2 eq "" ? 10 : 24) / high
    set bmargin at screen 62 / high
    set xrange [0:last_step]
    set yrange [0:most_loss > 0 ? 1.05 * most_loss : 1]
    set y2range [0:105]
    set xtics last_step / 4.0 font ",8.5"
    set ytics font ",8.5" nomirror
    set y2tics font ",8.5" scale 0.6, 0.3
    unset label
    set label 1 "Loss" center rotate by 90 at screen 11 / wide, graph 0.5
    set label 2 "Too near others (%)" center rotate by 90 at screen 1 - 11 / wide, graph 0.5
    set label 3 "Step" center at graph 0.5, screen 33 / high
    set label 4 cut(ARG2, line_most) center at screen 0.5, screen 1 - 11 / high font ",9.5"
    set key at screen 0.5, screen 13 / high center maxrows 1
    plot csv using (column("step")):(column("loss")) with lines linetype 202 title "loss", \
         csv using (column("step")):(100 * column("share")) axes x1y2 with lines linetype 101 title "share"
    unset output
}
