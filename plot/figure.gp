# A chart, called as
#
#   gnuplot -c figure.gp SETTINGS points.csv chart.svg chart.pdf chart.png
#
# SETTINGS is a script that gives titles, axes, ranges, and which rows of the file are which series
# (bench/report/figure.c). The points come from the CSV file alone. A picture without a name is not
# drawn. A chart is as wide as a column of a paper, unless what it shows needs more.
plot_folder = ARG0[1:strlen(ARG0) - strlen("figure.gp")]
csv = ARG2
array chart_file[3] = [ARG3, ARG5, ARG4]
load ARG1
load plot_folder . "style.gp"
load plot_folder . word("lines.gp bars.gp heat.gp", figure_kind + 1)
