# A heat map: a row of cells for each series, the first on top, and a column for each tick of x. The count
# is written in each cell, its shade is the share of the row. Far too many classes have neither names nor
# counts.
rows = series_count
columns = x_tick_count
name_most = 24
written = columns <= 60 && rows <= 60
widest_row = 0
widest_column = 0
do for [i = 1:rows] {
    shown_wide = strlen(cut(series_name[i], name_most))
    if (shown_wide > widest_row) { widest_row = shown_wide }
}
do for [i = 1:columns] {
    shown_wide = strlen(cut(x_tick_name[i], name_most))
    if (shown_wide > widest_column) { widest_column = shown_wide }
}

# Lengths in px. Cells are as wide as the column of a paper allows, and no narrower than a count.
name_px = 5.4
digits = strlen(sprintf("%.0f", panel_most[1]))
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
share(i, count) = series_sum[i] > 0 ? count / series_sum[i] : 0
ink(i, count) = share(i, count) > shade_limit ? 0xFFFFFF : count == 0 ? 0x9A9A9A : 0x101010

do for [format = 1:3] {
    if (chart_file[format] eq "") { continue }
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
        do for [i = 1:columns] { set xtics add (at_mark(cut(x_tick_name[i], name_most)) x_tick[i]) }
        do for [i = 1:rows] { set ytics add (at_mark(cut(series_name[i], name_most)) i - 1) }
    }
    set label 1 x_title center at screen middle, screen 10.0 / high font ",9"
    set label 2 y_title center rotate by 90 at screen (left - names_wide - 12) / wide, \
        screen (below + cell_high * rows / 2) / high font ",9"
    set label 3 cut(figure_title, int(wide / 6.1)) center at screen middle, screen 1 - 11.0 / high font ",9.5"
    set palette defined (0 "#FFFFFF", 0.25 "#C6DBEF", 0.5 "#6BAED6", 0.75 "#2171B5", 1 "#08306B")
    set cbrange [0:1]
    set colorbox user origin screen (left + cell_wide * columns + 8) / wide, screen below / high \
        size screen 8.0 / wide, screen cell_high * rows / high noborder
    set cbtics scale 0.3 font ",8" offset -0.6, 0 ("0" 0, "50%%" 0.5, "100%%" 1)
    plot for [i = 1:rows] csv every ::series_first[i]::series_last[i] \
             using 1:(i - 1):($1 - 0.5):($1 + 0.5):(i - 1.5):(i - 0.5):(share(i, $2)) \
             with boxxyerror fillstyle solid 1 border linecolor rgb "#D0D0D0" linewidth 0.5 linecolor palette notitle, \
         for [i = 1:rows] csv every ::series_first[i]::series_last[i] \
             using 1:(i - 1):(written ? sprintf("%.0f", $2) : ""):(ink(i, $2)) \
             with labels textcolor rgb variable font sprintf(",%g", count_size) notitle
    unset output
}
