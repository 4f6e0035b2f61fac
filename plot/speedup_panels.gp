# Two panels, kernel above end-to-end, of a speedup against size. A chart sets `over` (the words
# after "Speedup over"), left_out, kernel_column and total_column; interval ends are the columns of
# the same name with _ci_low and _ci_high.

array panel_column = [kernel_column, total_column]
array panel_name = ["kernel", "end-to-end"]
series_shown = set_size(shown) - (set_has(shown, left_out) ? 1 : 0)
if (series_shown < 1) { exit }
key_rows = int((series_shown + key_columns - 1) / key_columns)
panel_high = 150.0
gap = 16.0
top = title_high
plot_width = wide * 0.8
roof_count = 0
array roof_title[1] = [""]
array roof_dash[1] = [1]
key_title = "Speedup over " . over
axis_named = 1
load plot_folder . "size_axis.gp"
key_high = 24 + 12.8 * key_rows
bottom = names_high + key_high
high = int(top + 2 * panel_high + gap + bottom)

do for [format = 1:2] {
    load plot_folder . "terminal.gp"
    load plot_folder . "frame.gp"
    set multiplot
    do for [panel = 1:2] {
        eval(read_file)
        value_column = panel_column[panel]
        low_column = value_column . "_ci_low"
        high_column = value_column . "_ci_high"
        load plot_folder . "series_data.gp"
        widened = widen(1.0)
        axis_named = panel == 2
        load plot_folder . "size_axis.gp"
        load plot_folder . "value_axis.gp"
        eval(read_series)
        set lmargin at screen 0.17
        set rmargin at screen 0.97
        set tmargin at screen 1 - (top + (panel - 1) * (panel_high + gap)) / high
        set bmargin at screen 1 - (top + (panel - 1) * (panel_high + gap) + panel_high) / high
        set label 1 "Speedup, " . panel_name[panel] center rotate by 90 at screen 0.03, graph 0.5
        if (panel == 1) {
            set title title_of(algorithm) font ",9.5" offset 0, -0.6
            unset label 2
        } else {
            unset title
            set label 2 size_axis_title center at graph 0.5, screen (key_high + 8.0) / high
        }
        unset key
        plot 1 with lines linecolor rgb guide_colour linewidth 0.8 notitle, \
             for [i = 1:block_count] $data index i - 1 using 1:2 smooth unique with linespoints \
                 linetype variant_style[block_variant[i]] notitle, \
             for [i = 1:block_count] $data index i - 1 using 1:3:(0):($4 - $3) \
                 with vectors heads nofilled size graph 0.012, 90 \
                 linetype variant_style[block_variant[i]] dashtype solid notitle
    }
    load plot_folder . "key_panel.gp"
    unset multiplot
    unset output
}
