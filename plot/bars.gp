# Bars that lie, one below the other, put together from parts. A label of a part is shown where there is
# room for it; labels of series 0 stand behind their bars, under label_heading.
is_grey(i) = series_style[i] == secondary
part_colour(i) = is_grey(i) ? greys[1 + series_colour[i] % |greys|] : colour_of(i)
part_ink(i) = is_grey(i) ? (series_colour[i] % |greys| == 1 ? "#FFFFFF" : guide_colour) : "#FFFFFF"

# --- Places, px ---------------------------------------------------------------------------------------------
widest_bar_name = 0
do for [i = 1:x_tick_count] {
    widest = strlen(x_tick_name[i]) > strlen(x_tick_note[i]) * 0.8 ? strlen(x_tick_name[i]) : strlen(x_tick_note[i]) * 0.8
    if (widest > widest_bar_name) { widest_bar_name = widest }
}
left = 16.0 + 5.5 * widest_bar_name
if (left > 0.5 * wide) { left = 0.5 * wide }
end_name_wide = 46.0
right = 10.0
plot_width = wide - left - right - end_name_wide
pitch = 22.0
bar_high = 14.0
scale_end = panel_most[1]
px_per_unit = plot_width / scale_end
# Parts that no bar shows are not in the key.
widest_part = 0
key_count = 0
do for [i = 1:series_count] {
    stats csv every ::series_first[i]::series_last[i] using ($4 - $3) nooutput
    series_in_key[i] = STATS_max * px_per_unit >= 0.5
    if (series_in_key[i]) {
        key_count = key_count + 1
        if (strlen(series_name[i]) > widest_part) { widest_part = strlen(series_name[i]) }
    }
}
key_columns = int(0.98 * wide / (5.2 * widest_part + 38))
key_columns = key_columns < 1 ? 1 : key_columns > key_count ? key_count : key_columns
key_rows = int((key_count + key_columns - 1) / key_columns)
key_high = 6 + 12.8 * key_rows
title_lines = whole_title(int(wide / 6.8))
title_high = figure_title eq "" ? 10.0 : 13.0 + 13.5 * lines_of(title_lines)
bottom = 42 + key_high
top = title_high + (label_heading eq "" ? 0 : 10)
high = int(top + x_tick_count * pitch + 6 + bottom)
bar_at(x) = x_tick_count - x - 0.5
bar_y(x) = 1 - (top + 3 + (x + 0.5) * pitch) / high
half_bar = bar_high / pitch / 2

do for [format = 1:3] {
    if (chart_file[format] eq "") { continue }
    load plot_folder . "terminal.gp"
    set multiplot
    set border 1
    unset grid
    set lmargin at screen left / wide
    set rmargin at screen (left + plot_width) / wide
    set tmargin at screen 1 - top / high
    set bmargin at screen bottom / high
    set yrange [-3 / pitch:x_tick_count + 3 / pitch]
    set xrange [0:scale_end]
    set xtics () font ",8.5"
    step = step_for(0, scale_end, 5)
    do for [i = 0:floor(scale_end / step + 1e-6)] { set xtics add (mark_name(i * step, 0, scale_end) i * step) }
    unset mxtics
    unset ytics
    unset label
    set label title_lines center at screen 0.5, screen 1 - 10.0 / high font ",9.5"
    set label cut(y_title, 48) center at graph 0.5, screen (key_high + 10.0) / high
    do for [i = 1:x_tick_count] {
        lift = x_tick_note[i] eq "" ? 0.0 : 4.5
        set label cut(x_tick_name[i], 28) right at screen (left - 5) / wide, screen bar_y(x_tick[i]) + lift / high font ",8.5"
        if (x_tick_note[i] ne "") {
            set label cut(x_tick_note[i], 34) right at screen (left - 5) / wide, screen bar_y(x_tick[i]) - 5.5 / high \
                font ",6.5" textcolor rgb "#606060"
        }
    }
    if (label_heading ne "") {
        set label label_heading left at screen (left + plot_width + 4) / wide, screen 1 - (top - 4) / high \
            font ",7.5" textcolor rgb "#606060"
    }
    do for [i = 1:label_count] {
        from_px = left + label_from[i] * px_per_unit
        to_px = left + label_to[i] * px_per_unit
        if (label_series[i] == 0) {
            set label label_text[i] left at screen (to_px + 4) / wide, screen bar_y(label_bar[i]) font ",8.5"
        } else { if (to_px - from_px >= 25) {
            set label label_text[i] center at screen (from_px + to_px) / 2 / wide, screen bar_y(label_bar[i]) front \
                font ",7" textcolor rgb part_ink(label_series[i])
        }}
    }
    unset key
    plot for [i = 1:series_count] csv every ::series_first[i]::series_last[i] \
             using (($3 + $4) / 2):(bar_at($1)):3:4:(bar_at($1) - half_bar):(bar_at($1) + half_bar) \
             with boxxyerror fillstyle solid 1 border linecolor rgb "#FFFFFF" fillcolor rgb part_colour(i) \
             linewidth 0.5 notitle

    unset label
    unset tics
    unset border
    set xrange [0:1]
    set yrange [0:1]
    set lmargin at screen 0.02
    set rmargin at screen 0.98
    set tmargin at screen key_high / high
    set bmargin at screen 0
    set key noenhanced notitle spacing 1.05 font ",8" samplen 1.2 at screen 0.52, screen key_high / high \
        center top maxrows key_rows Left reverse
    plot NaN notitle, \
         for [i = 1:series_count] keyentry with boxes fillstyle solid 1 noborder \
             fillcolor rgb part_colour(i) title (series_in_key[i] ? shortened(series_name[i]) : "")
    unset multiplot
    unset output
}
