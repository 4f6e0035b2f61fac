# Confusion matrix as a heat map: a row for each actual class, a column for each predicted one, the
# count written in each cell, its shade the share of the row. Figure 6 of the study of lbp_riu.
#
#   gnuplot -c confusion.gp matrix.tsv TITLE "" "" chart.svg chart.png
#
# The file has columns row, column, count, share, actual and predicted; the first row is on top.
plot_folder = ARG0[1:strlen(ARG0) - strlen("confusion.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6

stats csv using (column("row")) nooutput
rows = int(STATS_max) + 1
stats csv using (column("column")) nooutput
columns = int(STATS_max) + 1

# Names are cut to what stays readable; far too many classes have neither names nor counts.
name_most = 24
written = columns <= 60 && rows <= 60
array row_name[rows]
array column_name[columns]
widest_row = 0
widest_column = 0
most = 0
note(unused) = (row_name[int(column("row")) + 1] = cut(strcol("actual"), name_most), \
    column_name[int(column("column")) + 1] = cut(strcol("predicted"), name_most), \
    most = column("count") > most ? column("count") : most, 0)
stats csv using (note(0)) nooutput
do for [i = 1:rows] { widest_row = strlen(row_name[i]) > widest_row ? strlen(row_name[i]) : widest_row }
do for [i = 1:columns] { widest_column = strlen(column_name[i]) > widest_column ? strlen(column_name[i]) : widest_column }

# Lengths in px. Cells are as wide as the column of a paper allows, and no narrower than a count.
name_px = 5.4
digits = strlen(sprintf("%d", most))
names_wide = written ? 8 + name_px * widest_row : 10.0
left = 24.0 + names_wide
right = 58.0
least_wide = written ? (5.8 * digits + 5 > 16 ? 5.8 * digits + 5 : 16) : (1000.0 / columns > 3 ? 1000.0 / columns : 3)
cell_wide = (wide - left - right) / columns
cell_wide = cell_wide > 72 ? 72 : cell_wide < least_wide ? least_wide : cell_wide
cell_high = !written ? cell_wide : cell_wide > 32 ? 32.0 : cell_wide
turned = widest_column * name_px > cell_wide - 4
below = !written ? 28 : turned ? 29 + name_px * widest_column * 0.98 : 36
above = 24.0
needed = left + cell_wide * columns + right
left = needed < wide ? left + (wide - needed) / 2 : left
wide = needed > wide ? 1.0 * int(needed + 0.5) : wide
high = 1.0 * int(above + cell_high * rows + below + 0.5)
middle = (left + cell_wide * columns / 2) / wide
count_size = cell_wide < 22 ? 7 : 8.5

shade_limit = 0.55
ink(count, share) = share > shade_limit ? 0xFFFFFF : count == 0 ? 0x9A9A9A : 0x101010

do for [format = 1:2] {
    load plot_folder . "terminal.gp"
    unset key
    unset grid
    unset colorbox
    set lmargin at screen left / wide
    set rmargin at screen (left + cell_wide * columns) / wide
    set tmargin at screen 1 - above / high
    set bmargin at screen below / high
    set xrange [-0.5:columns - 0.5]
    set yrange [rows - 0.5:-0.5]
    set border 15 linewidth 0.75 linecolor rgb "#303030"
    unset xtics
    unset ytics
    if (written) {
        set xtics () scale 0 out nomirror font ",8.5" offset 0, (turned ? 0.2 : 0.5)
        set ytics () scale 0 out nomirror font ",8.5" offset 0.6, 0
        if (turned) { set xtics rotate by 90 right }
        do for [i = 1:columns] { set xtics add (at_mark(column_name[i]) i - 1) }
        do for [i = 1:rows] { set ytics add (at_mark(row_name[i]) i - 1) }
    }
    set label 1 "Predicted class" center at screen middle, screen 10.0 / high font ",9"
    set label 2 "Actual class" center rotate by 90 at screen (left - names_wide - 12) / wide, screen (below + cell_high * rows / 2) / high font ",9"
    set label 3 ARG2 center at screen middle, screen 1 - 11.0 / high font ",9.5"
    set palette defined (0 "#FFFFFF", 0.25 "#C6DBEF", 0.5 "#6BAED6", 0.75 "#2171B5", 1 "#08306B")
    set cbrange [0:1]
    set colorbox user origin screen (left + cell_wide * columns + 8) / wide, screen below / high \
        size screen 8.0 / wide, screen cell_high * rows / high noborder
    set cbtics scale 0.3 font ",8" offset -0.6, 0 ("0" 0, "50%%" 0.5, "100%%" 1)
    plot csv using (column("column")):(column("row")):(column("column") - 0.5):(column("column") + 0.5): \
             (column("row") - 0.5):(column("row") + 0.5):(column("share")) \
             with boxxyerror fillstyle solid 1 border linecolor rgb "#D0D0D0" linewidth 0.5 linecolor palette, \
         csv using (column("column")):(column("row")):(written ? strcol("count") : ""): \
             (ink(column("count"), column("share"))) \
             with labels textcolor rgb variable font sprintf(",%g", count_size)
    unset output
}
