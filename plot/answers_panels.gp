# Panels with the same ranges, and one key for all below. A chart sets `value_name` (for the vertical
# axis), key_title, left_out and guide (1: a line at 1) besides what answers.gp gives and
# series_data.gp needs.

# --- Ranges, and the variants that have values --------------------------------------------------------
all_least = 1e300
all_most = 0
array has_series[variant_count]
do for [i = 1:variant_count] { has_series[i] = 0 }
do for [panel = 1:panel_count] {
    load plot_folder . "series_data.gp"
    all_least = block_count > 0 && least < all_least ? least : all_least
    all_most = block_count > 0 && most > all_most ? most : all_most
    do for [i = 1:block_count] { has_series[block_variant[i]] = 1 }
}
if (all_most == 0) { exit }
if (guide) {
    all_least = all_least < 1 ? all_least : 1.0
    all_most = all_most > 1 ? all_most : 1.0
}
series_shown = 0
do for [i = 1:variant_count] {
    if (has_series[i] == 1) { series_shown = series_shown + 1 } else { variant_label[i] = "" }
}

if (answers_left > 0) {
    key_title = key_title . (key_title eq "" ? "" : "; ") \
        . sprintf("%d more answer point%s not shown", answers_left, answers_left > 1 ? "s" : "")
}

# --- Places, px: up to three panels in a row ----------------------------------------------------------
columns = panel_count < 3 ? panel_count : panel_count == 4 ? 2 : 3
rows = int((panel_count + columns - 1) / columns)
left = 70.0
plot_width = columns > 1 ? 182.0 : 256.0
axis_named = 1
load plot_folder . "size_axis.gp"
# Names of sizes stand out at both sides of their panel, unless they are turned.
first_px = turn_names ? 0 : name_px * strlen(size_name[1]) / 2
last_px = turn_names ? 0 : name_px * strlen(size_name[size_count]) / 2
gap = first_px + last_px + 4 > 24 ? first_px + last_px + 4 : 24.0
right = last_px > 14 ? last_px : 14.0
panel_high = 162.0
panel_title_high = 18.0
row_gap = 10.0
wide = left + columns * plot_width + (columns - 1) * gap + right
middle_x = (left + wide - right) / 2
# One line says what is drawn, or two where one would be too long.
heading_fits = int(2 * (wide - middle_x) / 6.1)
heading = sprintf("%s on %s", algorithm, input)
heading_lines = shared_parts eq "" || strlen(heading . ", " . shared_parts) <= heading_fits ? 1 : 2
heading = shared_parts eq "" ? cut(heading, heading_fits) : heading_lines == 1 ? heading . ", " . shared_parts \
    : cut(heading, heading_fits) . "\n" . cut(shared_parts, heading_fits)
top = 7.0 + 14 * heading_lines
key_columns = int(0.96 * wide / (5.4 * widest_label + 46))
key_columns = key_columns < 1 ? 1 : key_columns > series_shown ? series_shown : key_columns
key_rows = int((series_shown + key_columns - 1) / key_columns)
key_high = (key_title eq "" ? 6 : 24) + 12.8 * key_rows
bottom = names_high + 4 + key_high
row_pitch = panel_title_high + panel_high + row_gap
high = int(top + rows * row_pitch - row_gap + bottom)
middle_y = (bottom + high - top - panel_title_high) / 2 / high
roof_count = 0
array roof_title[1] = [""]
array roof_dash[1] = [1]

do for [format = 1:2] {
    load plot_folder . "terminal.gp"
    load plot_folder . "frame.gp"
    set multiplot
    do for [panel = 1:panel_count] {
        eval(read_file)
        load plot_folder . "series_data.gp"
        least = all_least
        most = all_most
        column_place = (panel - 1) % columns
        row_place = int((panel - 1) / columns)
        axis_named = panel + columns > panel_count
        load plot_folder . "size_axis.gp"
        values_named = column_place == 0
        load plot_folder . "value_axis.gp"
        eval(read_series)
        panel_left = left + column_place * (plot_width + gap)
        panel_top = top + row_place * row_pitch + panel_title_high
        set lmargin at screen panel_left / wide
        set rmargin at screen (panel_left + plot_width) / wide
        set tmargin at screen 1 - panel_top / high
        set bmargin at screen 1 - (panel_top + panel_high) / high
        unset label
        set label 4 panel_title[panel] center at graph 0.5, screen 1 - (panel_top - 7) / high font ",8.5"
        if (panel == 1) {
            set label 1 value_name center rotate by 90 at screen 10.0 / wide, screen middle_y
            set label 2 size_axis_title \
                center at screen middle_x / wide, screen (key_high + 12.0) / high
            set label 3 heading center at screen middle_x / wide, screen 1 - 9.0 / high font ",9.5"
        }
        unset key
        plot NaN notitle, \
             for [i = 1:guide] 1 with lines linecolor rgb guide_colour linewidth 0.8 notitle, \
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
