# Lines: a line with points for each series, in one panel or several. Panels with axes of their own
# stand one below the other, those that share theirs side by side.
is_ceiling(i) = series_style[i] == ceiling
# Lines leave hollow marks empty.
set pointintervalbox 0.55
ceiling_count = 0
do for [i = 1:series_count] {
    shape = shape_of(i)
    if (series_style[i] == measured) {
        eval(sprintf("set linetype %d linecolor rgb colour_of(%d) pointtype %d dashtype %s linewidth 1.3 pointsize %g pointinterval %d", \
            100 + i, i, measured_point(i), ordered ? "solid" : series_dash[i], measured_point(i) == full_point[shape] ? 0.5 : 0.55, \
            measured_point(i) == full_point[shape] ? 1 : -1))
    } else { if (series_style[i] == secondary) {
        set linetype 100 + i linecolor rgb colour_of(i) pointinterval -1 pointtype hollow_point[shape] dashtype (8, 3) \
            linewidth 1.2 pointsize 0.55
    } else { if (series_style[i] == published) {
        set linetype 100 + i linecolor rgb colour_of(i) pointtype 2 dashtype (1.5, 3) \
            linewidth 1.2 pointsize 0.55
    } else {
        ceiling_count = ceiling_count + 1
        # Ceilings of one corner are one line.
        if (ceilings_named && i > 1) {
            if (series_x[i] == series_end_x[i - 1] && series_y[i] == series_end_y[i - 1]) {
                ceiling_count = ceiling_count - 1
            }
        }
        eval(sprintf("set linetype %d linecolor rgb guide_colour linewidth 0.8 dashtype %s", \
            100 + i, ceiling_dash[1 + (ceiling_count - 1) % |ceiling_dash|]))
    }}}
}

# --- Places across, px ----------------------------------------------------------------------------------
beside = panels_share && panel_count > 1
columns = !beside ? 1 : panel_count < 3 ? panel_count : panel_count == 4 ? 2 : 3
rows = int((panel_count + columns - 1) / columns)
left = beside ? 70.0 : 0.2 * wide
plot_width = columns > 1 ? 182.0 : beside ? 256.0 : 0.77 * wide
right = beside ? 14.0 : 0.03 * wide

# --- The horizontal axis ----------------------------------------------------------------------------------
place_of(value) = x_log ? log10(value) : value
value_at(place) = x_log ? 10.0 ** place : place
if (x_most <= x_least) {
    middle = place_of(x_least)
    half_wide = x_log ? 0.3 : middle == 0 ? 0.5 : abs(middle) / 2
    x_first = middle - half_wide
    x_last = middle + half_wide
} else {
    x_first = place_of(x_least) - 0.05 * (place_of(x_most) - place_of(x_least))
    x_last = place_of(x_most) + 0.05 * (place_of(x_most) - place_of(x_least))
}
px_at(value) = (place_of(value) - x_first) / (x_last - x_first) * plot_width
is_shown(value) = (!x_log || value > 0) && px_at(value) >= -0.5 && px_at(value) <= plot_width + 0.5

# Named places are turned where names would touch, and a name is left out where even that is too near
# to the one before it; its mark stays.
name_px = 7.0
turned_px = 15.0
turn_names = 0
last_px = -1e9
last_wide = 0
do for [i = 1:x_tick_count] {
    if (is_shown(x_tick[i])) {
        name_wide = strlen(x_tick_name[i]) * name_px
        if (px_at(x_tick[i]) - last_px < (name_wide + last_wide) / 2 + 4) { turn_names = 1 }
        # The last name would leave the chart.
        if (px_at(x_tick[i]) + name_wide / 2 > plot_width + right && columns == 1) { turn_names = 1 }
        last_px = px_at(x_tick[i])
        last_wide = name_wide
    }
}
turned_most = 24
# A turned name that begins left of the picture would be cut off.
name_room(px) = turn_names && (left + px) / 5.6 < turned_most ? int((left + px) / 5.6) : turned_most
widest_shown = 0
first_wide = 0
do for [i = 1:x_tick_count] {
    if (is_shown(x_tick[i])) {
        shown_wide = strlen(cut(x_tick_name[i], name_room(px_at(x_tick[i]))))
        if (first_wide == 0) { first_wide = shown_wide }
        last_wide = shown_wide
        if (shown_wide > widest_shown) { widest_shown = shown_wide }
    }
}
names_high = (turn_names ? 12 + 4.7 * widest_shown : 22) + 18
# Names stand out at both sides of their panel, unless they are turned.
gap = 24.0
if (beside && !turn_names && x_tick_count > 0) {
    out_px = (first_wide + last_wide) * name_px / 2 + 4
    gap = out_px > gap ? out_px : gap
    right = last_wide * name_px / 2 > right ? last_wide * name_px / 2 : right
}
if (beside) { wide = 1.0 * int(left + columns * plot_width + (columns - 1) * gap + right + 0.5) }

# --- The key: columns as wide as the widest name, a line for each series -----------------------------------
widest_name = 0
key_count = 0
do for [i = 1:series_count] {
    if (ceilings_named && is_ceiling(i)) { series_in_key[i] = 0 }
    if (series_in_key[i]) {
        key_count = key_count + 1
        if (strlen(series_name[i]) > widest_name) { widest_name = strlen(series_name[i]) }
    }
}
if (!beside) {
    key_columns = widest_name > 22 || key_count < 2 ? 1 : widest_name > 11 || key_count < 3 ? 2 : 3
} else {
    key_columns = int(0.96 * wide / (5.4 * widest_name + 46))
    key_columns = key_columns < 1 ? 1 : key_columns > key_count ? key_count : key_columns
}
key_rows = int((key_count + key_columns - 1) / key_columns)
key_font = widest_name > 44 ? ",6.8" : key_columns == 2 && widest_name > 17 ? ",7.2" : ",8"
note_lines = figure_note eq "" ? "" : in_lines(figure_note, 2, int(wide / 6.4))
note_high = figure_note eq "" ? 0 : 2 + 13.0 * lines_of(note_lines)
key_high = 8 + 13.8 * key_rows + note_high

# --- Places from top to bottom, px ---------------------------------------------------------------------------
title_lines = whole_title(int(wide / 6.8))
title_high = figure_title eq "" ? 10.0 : 13.0 + 13.5 * lines_of(title_lines)
bottom = names_high + key_high
panel_high = panel_count == 1 ? 165.0 : beside ? 162.0 : 150.0
panel_title_high = beside ? 18.0 : 0.0
row_gap = beside ? 10.0 : 16.0
row_pitch = panel_title_high + panel_high + row_gap
high = int(title_high + rows * row_pitch - row_gap + bottom)
middle_x = (left + wide - right) / 2
middle_y = (bottom + high - title_high - panel_title_high) / 2

# Of many points a mark and its interval at about nine of them, evenly spread over the axis.
has_many(i) = series_last[i] - series_first[i] >= 24
mark_step = (x_last - x_first) / 10
mark_at(i, x) = i != marked_series || place_of(x) - last_mark >= mark_step \
    ? (marked_series = i, last_mark = place_of(x), x) : NaN
most_series = series_count > 0 ? series_count : 1
array marked[most_series]
array plain[most_series]
array thinned[most_series]
array intervals[most_series]
array thinned_intervals[most_series]
array key_series[most_series + 1]
# gnuplot goes once through the words of an empty loop, and makes room for its entry in the key.
do for [i = 1:most_series] { marked[i] = 1; plain[i] = 1; thinned[i] = 1; intervals[i] = 1; thinned_intervals[i] = 1 }
do for [i = 1:most_series + 1] { key_series[i] = 1 }

# Lines of the key, ceilings last.
key_entries = 0
key_points = 0
do for [of_ceilings = 0:1] {
    do for [i = 1:series_count] {
        if (series_in_key[i] && is_ceiling(i) == of_ceilings) {
            key_entries = key_entries + 1
            key_series[key_entries] = i
            if (!of_ceilings) { key_points = key_entries }
        }
    }
}

do for [format = 1:3] {
    if (chart_file[format] eq "") { continue }
    load plot_folder . "terminal.gp"
    set multiplot
    do for [panel = 1:panel_count] {
        if (panel_least[panel] > panel_most[panel]) { continue }
        column_place = (panel - 1) % columns
        row_place = int((panel - 1) / columns)
        names_shown = panel + columns > panel_count
        values_named = column_place == 0
        unset label

        # The vertical axis.
        y_log = panel_y_log[panel]
        # Words of sides have a strip of their own above and below the lines.
        spare = side_above eq "" ? 0.05 : 0.13
        least = panel_least[panel]
        most = panel_most[panel]
        if (y_log) {
            y_first = least / (most / least) ** spare / 1.05
            y_last = most * (most / least) ** spare * 1.05
        } else {
            span = most > least ? most - least : abs(most) > 0 ? abs(most) : 1.0
            y_first = least >= 0 && least < 0.6 * most ? 0 : least - 0.06 * span
            y_last = most <= 0 && y_first < 0 ? 0 : most + 0.06 * span
        }
        if (y_log && most >= 5 * least) {
            load plot_folder . "value_axis.gp"
            y_first = least / room
            y_last = most * room
        } else {
            if (y_log) { set logscale y 10 } else { unset logscale y }
            set yrange [y_first:y_last]
            mark_font = larger(y_first, y_last) >= 1e13 || larger(y_first, y_last) < 1e-3 ? ",7" : ",8.5"
            set ytics () font mark_font
            step = step_for(y_first, y_last, 7)
            do for [i = ceil(y_first / step - 1e-6):floor(y_last / step + 1e-6)] {
                set ytics add ((values_named ? mark_name(i * step, y_first, y_last) : "") i * step)
            }
        }
        if (panels_share && y_tick_count > 0) {
            set ytics () font ",8.5"
            do for [i = 1:y_tick_count] {
                set ytics add ((values_named ? at_mark(cut(y_tick_name[i], 9)) : "") y_tick[i])
            }
        }

        # The horizontal axis.
        if (x_log) { set logscale x 10 } else { unset logscale x }
        set xrange [value_at(x_first):value_at(x_last)]
        set xtics () font ",8.5"
        unset mxtics
        if (turn_names) { set xtics rotate by 40 right offset 0.6, 0 } else { set xtics norotate }
        last_named = -1e9
        do for [i = 1:x_tick_count] {
            if (is_shown(x_tick[i])) {
                named = names_shown && (!turn_names || px_at(x_tick[i]) - last_named >= turned_px)
                if (named) { last_named = px_at(x_tick[i]) }
                set xtics add ((named ? at_mark(cut(x_tick_name[i], name_room(px_at(x_tick[i])))) : "") x_tick[i])
            }
        }
        if (x_tick_count == 0) {
            if (x_log && x_last - x_first >= log10(5)) { load plot_folder . "decades.gp" } else {
                step = step_for(value_at(x_first), value_at(x_last), columns > 1 ? 4 : 7)
                do for [i = ceil(value_at(x_first) / step):floor(value_at(x_last) / step)] {
                    set xtics add ((names_shown ? mark_name(i * step, value_at(x_first), value_at(x_last)) : "") i * step)
                }
            }
        }

        panel_left = left + column_place * (plot_width + gap)
        panel_top = title_high + row_place * row_pitch + panel_title_high
        set lmargin at screen panel_left / wide
        set rmargin at screen (panel_left + plot_width) / wide
        set tmargin at screen 1 - panel_top / high
        set bmargin at screen 1 - (panel_top + panel_high) / high
        if (panel == 1) {
            set label 1 title_lines center at screen (beside ? middle_x / wide : 0.5), screen 1 - 10.0 / high font ",9.5"
            set label 2 cut(x_title, 48) center at screen middle_x / wide, screen (key_high + 8.0) / high
        }
        if (beside) {
            set label 4 cut(panel_title[panel], 34) center at graph 0.5, screen 1 - (panel_top - 7) / high font ",8.5"
        }
        # A long name has smaller letters, and room below the chart more than above.
        long_name = strlen(panel_y_title[panel]) > (panel_count > 1 ? 23 : 26)
        name_font = long_name ? ",8" : ",9"
        if (beside) {
            if (panel == 1) {
                set label 3 cut(panel_y_title[1], 38) center rotate by 90 at screen 10.0 / wide, screen middle_y / high \
                    font name_font
            }
        } else {
            set label 3 cut(panel_y_title[panel], 38) center rotate by 90 at screen 10.0 / wide, \
                graph (long_name && panel_count == 1 ? 0.4 : 0.5) font name_font
        }
        # A slope is named where it enters the plot, a flat line at its end; below its line where the
        # one above is nearer than the 14 px of a name.
        if (ceilings_named && x_log && y_log) {
            px_per_decade_y = panel_high / log10(most / least * room ** 2)
            px_per_decade_x = plot_width / (x_last - x_first)
            do for [i = 1:series_count] {
                if (!is_ceiling(i)) { continue }
                flat = series_y[i] == series_end_y[i]
                slope = (log10(series_end_y[i]) - log10(series_y[i])) * px_per_decade_y \
                    / ((log10(series_end_x[i]) - log10(series_x[i])) * px_per_decade_x)
                above = 0.7
                do for [j = 1:series_count] {
                    if (is_ceiling(j) && (series_y[j] == series_end_y[j]) == flat) {
                        distance = (log10(series_end_y[j] / series_end_y[i]) \
                            - (flat ? 0 : log10(series_end_x[j] / series_end_x[i]))) * px_per_decade_y
                        if (distance > 0 && distance < 14) { above = -0.75 }
                    }
                }
                if (flat) {
                    set label series_name[i] at 10 ** x_last / 1.1, series_end_y[i] right offset 0, above * 0.85 \
                        font ",7.5" textcolor rgb guide_colour front
                } else {
                    set label series_name[i] at series_x[i] * 1.1, series_y[i] * 1.1 ** (slope * px_per_decade_x / px_per_decade_y) \
                        left rotate by atan(slope) * 180 / pi offset 0, above \
                        font ",7.5" textcolor rgb guide_colour front
                }
            }
        }
        unset key
        reference = panel_reference[panel]
        # The sides of the reference, each with its word where it is high enough for one.
        unset object
        if (side_above ne "" && reference == reference) {
            share_below = y_log ? log10(reference / y_first) / log10(y_last / y_first) : (reference - y_first) / (y_last - y_first)
            share_below = share_below < 0 ? 0.0 : share_below > 1 ? 1.0 : share_below
            set object 1 rectangle from graph 0, graph share_below to graph 1, graph 1 behind \
                fillcolor rgb win_colour fillstyle solid 1 noborder
            set object 2 rectangle from graph 0, graph 0 to graph 1, graph share_below behind \
                fillcolor rgb lose_colour fillstyle solid 1 noborder
            if ((1 - share_below) * panel_high >= 14) {
                set label 5 side_above at graph 0.01, graph 1 left offset 0, -0.6 font ",7" textcolor rgb win_ink
            }
            if (share_below * panel_high >= 14) {
                set label 6 side_below at graph 0.01, graph 0 left offset 0, 0.6 font ",7" textcolor rgb lose_ink
            }
        }
        marked_series = 0
        last_mark = 0
        # Which series are drawn how.
        marked_count = 0; plain_count = 0; thinned_count = 0; interval_count = 0; thinned_interval_count = 0
        do for [i = 1:series_count] {
            if (series_panel[i] != panel) { continue }
            if (is_ceiling(i) || has_many(i)) {
                plain_count = plain_count + 1
                plain[plain_count] = i
                if (!is_ceiling(i)) {
                    thinned_count = thinned_count + 1
                    thinned[thinned_count] = i
                    if (series_intervals[i]) {
                        thinned_interval_count = thinned_interval_count + 1
                        thinned_intervals[thinned_interval_count] = i
                    }
                }
            } else {
                marked_count = marked_count + 1
                marked[marked_count] = i
                if (series_intervals[i]) {
                    interval_count = interval_count + 1
                    intervals[interval_count] = i
                }
            }
        }
        plot NaN notitle, \
             for [k = 1:(reference == reference ? 1 : 0)] reference with lines \
                 linecolor rgb guide_colour linewidth 0.8 dashtype (6, 4) notitle, \
             for [k = 1:plain_count] csv every ::series_first[plain[k]]::series_last[plain[k]] using 1:2 \
                 with lines linetype 100 + plain[k] notitle, \
             for [k = 1:marked_count] csv every ::series_first[marked[k]]::series_last[marked[k]] using 1:2 \
                 with linespoints linetype 100 + marked[k] notitle, \
             for [k = 1:thinned_count] csv every ::series_first[thinned[k]]::series_last[thinned[k]] \
                 using (mark_at(thinned[k], $1)):2 with points linetype 100 + thinned[k] notitle, \
             for [k = 1:interval_count] csv every ::series_first[intervals[k]]::series_last[intervals[k]] \
                 using 1:3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 \
                 linetype 100 + intervals[k] dashtype solid notitle, \
             for [k = 1:thinned_interval_count] csv every ::series_first[thinned_intervals[k]]::series_last[thinned_intervals[k]] \
                 using (mark_at(-thinned_intervals[k], $1)):3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 \
                 linetype 100 + thinned_intervals[k] dashtype solid notitle
    }

    # The key has a plot of its own, which lets it be taller than the chart.
    unset label
    unset object
    unset tics
    unset border
    unset logscale
    set xrange [0:1]
    set yrange [0:1]
    set lmargin at screen 0.02
    set rmargin at screen 0.98
    set tmargin at screen key_high / high
    set bmargin at screen 0
    set key noenhanced samplen 2.6 spacing 1.05 font key_font
    set key notitle
    # As the title of the key, a wide note would push the key's columns apart.
    if (figure_note ne "") { set label note_lines at screen 0.52, screen (key_high - 6.5) / high center noenhanced font ",8.5" }
    set key at screen 0.52, screen (key_high - note_high) / high center top maxrows key_rows Left reverse
    plot NaN notitle, \
         for [k = 1:key_points] keyentry with linespoints linetype 100 + key_series[k] \
             title (k <= key_points ? shortened(series_name[key_series[k]]) : ""), \
         for [k = key_points + 1:key_entries] keyentry with lines linetype 100 + key_series[k] \
             title (k <= key_entries ? shortened(series_name[key_series[k]]) : "")
    unset multiplot
    unset output
}
