# One chart of a document, in the width of a paper's column (9 cm): called as
#
#   gnuplot -c figure.gp SETTINGS points.csv chart.svg chart.pdf chart.png
#
# SETTINGS is a script that gives titles, axes, ranges, and which rows of the file are which series
# (bench/document/figure_settings.c). The points come from the CSV file alone.
plot_folder = ARG0[1:strlen(ARG0) - strlen("figure.gp")]
csv = ARG2
array chart_file[3] = [ARG3, ARG5, ARG4]
settings = ARG1
set encoding utf8
load settings

set datafile separator comma
load plot_folder . "looks.gp"

# --- Series: the colours of HTML pages (bench/document/page.css), and shapes that differ in grey --------
array colours = ["#0072B2", "#D55E00", "#009E73", "#B8588F", "#CC8A00", "#3597D4", "#8C4A00", \
    "#5B45B5", "#7A8500", "#5B6670", "#00C2B2", "#A8437A", "#8F87F0", "#005F45"]
array full_point = [7, 5, 9, 13, 11, 15]
array hollow_point = [6, 4, 8, 12, 10, 14]
# Ceilings are thin and black, told apart by their dashes.
array ceiling_dash = ["solid", "(10, 5)", "(1.5, 4)", "(10, 4, 1.5, 4)", "(20, 5)", \
    "(4, 4)", "(10, 4, 1.5, 4, 1.5, 4)", "(20, 4, 4, 4)"]
measured = 0; secondary = 1; published = 2; ceiling = 3
is_ceiling(i) = series_style[i] == ceiling
ceiling_count = 0
do for [i = 1:series_count] {
    # Beyond the last colour they begin again with other shapes.
    own_colour = colours[1 + series_colour[i] % |colours|]
    shape = 1 + (series_colour[i] + series_colour[i] / |colours|) % |full_point|
    if (series_style[i] == measured) {
        set linetype 100 + i linecolor rgb own_colour pointtype full_point[shape] dashtype solid \
            linewidth 1.3 pointsize 0.5
    } else { if (series_style[i] == secondary) {
        set linetype 100 + i linecolor rgb own_colour pointtype hollow_point[shape] dashtype (8, 3) \
            linewidth 1.2 pointsize 0.55
    } else { if (series_style[i] == published) {
        set linetype 100 + i linecolor rgb own_colour pointtype 2 dashtype (1.5, 3) \
            linewidth 1.2 pointsize 0.55
    } else {
        ceiling_count = ceiling_count + 1
        eval(sprintf("set linetype %d linecolor rgb guide_colour linewidth 0.8 dashtype %s", \
            100 + i, ceiling_dash[1 + (ceiling_count - 1) % |ceiling_dash|]))
    }}}
}

# --- Words ------------------------------------------------------------------------------------------
# The title on up to three lines, broken at blanks.
line_most = 50
last_blank(words, place) = place < 1 || words[place:place] eq " " ? place : last_blank(words, place - 1)
line_end(words) = strlen(words) <= line_most ? strlen(words) : last_blank(words, line_most + 1)
cut(words, most) = strlen(words) > most ? words[1:most - 1] . "…" : words
in_lines(words, lines) = lines == 1 || line_end(words) < 1 || line_end(words) == strlen(words) ? cut(words, line_most) \
    : words[1:line_end(words) - 1] . "\n" . in_lines(words[line_end(words) + 1:*], lines - 1)
lines_of(words) = strstrt(words, "\n") == 0 ? 1 : 1 + lines_of(words[strstrt(words, "\n") + 1:*])
title_lines = in_lines(figure_title, 3)
title_high = figure_title eq "" ? 10.0 : 13.0 + 13.5 * lines_of(title_lines)

# The key: columns as wide as the widest name, a line for each series.
widest_name = 0
do for [i = 1:series_count] {
    if (strlen(series_name[i]) > widest_name) { widest_name = strlen(series_name[i]) }
}
key_columns = widest_name > 20 || series_count < 2 ? 1 : widest_name > 10 || series_count < 3 ? 2 : 3
key_rows = int((series_count + key_columns - 1) / key_columns)
# Names that are too long even in smaller letters lose their middle: their ends tell them apart.
key_font = widest_name > 44 ? ",6.8" : ",8"
name_most = 52
shortened(words) = strlen(words) <= name_most ? words \
    : words[1:name_most / 2 - 1] . "…" . words[strlen(words) - name_most / 2 + 1:*]

# --- Marks of axes that are not logarithmic, or of few values: 1, 2 or 5 of a power of ten, about `most_marks` of them ------
magnitude(span) = 10.0 ** floor(log10(span))
rounded_up(span, unit) = span <= unit ? unit : span <= 2 * unit ? 2 * unit : span <= 5 * unit ? 5 * unit : 10 * unit
step_for(first, last, most_marks) = rounded_up((last - first) / most_marks, magnitude((last - first) / most_marks))
# "25M" for 25000000, "2·10⁻⁷" for what is small.
larger(first, last) = abs(first) > abs(last) ? abs(first) : abs(last)
in_units(value, unit, name) = value == 0 ? "0" : sprintf("%g%s", value / unit, name)
in_powers(value, power) = value == 0 ? "0" : sprintf("%g·10%s", value / 10.0 ** power, raised(power))
mark_name(value, first, last) = larger(first, last) >= 1e13 ? in_powers(value, floor(log10(larger(first, last))) - 1) \
    : larger(first, last) >= 1e9 ? in_units(value, 1e9, "G") : larger(first, last) >= 1e6 ? in_units(value, 1e6, "M") \
    : larger(first, last) >= 1e5 ? in_units(value, 1e3, "k") \
    : larger(first, last) >= 1e-3 ? sprintf("%g", abs(value) < 1e-12 ? 0 : value) \
    : in_powers(value, floor(log10(larger(first, last))) - 1)

# --- The horizontal axis ------------------------------------------------------------------------------
plot_left = 0.2
plot_right = 0.97
plot_width = wide * (plot_right - plot_left)
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
        if (px_at(x_tick[i]) + name_wide / 2 > plot_width + (1 - plot_right) * wide) { turn_names = 1 }
        last_px = px_at(x_tick[i])
        last_wide = name_wide
    }
}
turned_most = 24
# A turned name that begins left of the picture would be cut off.
name_room(px) = turn_names && (plot_left * wide + px) / 5.6 < turned_most ? int((plot_left * wide + px) / 5.6) : turned_most
widest_shown = 0
do for [i = 1:x_tick_count] {
    if (is_shown(x_tick[i])) {
        shown_wide = strlen(cut(x_tick_name[i], name_room(px_at(x_tick[i]))))
        if (shown_wide > widest_shown) { widest_shown = shown_wide }
    }
}
names_high = (turn_names ? 12 + 4.7 * widest_shown : 22) + 18

# --- The vertical axis --------------------------------------------------------------------------------
values_named = 1
least = y_least
most = y_most
if (y_log) {
    y_first = least / (most / least) ** 0.05 / 1.05
    y_last = most * (most / least) ** 0.05 * 1.05
} else {
    span = most > least ? most - least : abs(most) > 0 ? abs(most) : 1.0
    y_first = least >= 0 && least < 0.6 * most ? 0 : least - 0.06 * span
    y_last = most <= 0 && y_first < 0 ? 0 : most + 0.06 * span
}

# --- Places, px -----------------------------------------------------------------------------------------
key_high = 6 + 13.4 * key_rows
bottom = names_high + key_high
plot_high = 165.0
high = int(plot_high + title_high + bottom)

do for [format = 1:3] {
    if (format < 3) {
        load plot_folder . "terminal.gp"
    } else {
        set terminal pdfcairo size wide / 96.0, high / 96.0 noenhanced font "Arial,9" fontscale 0.75 \
            linewidth 1 background rgb "white"
        set output chart_file[format]
    }
    load plot_folder . "frame.gp"
    set multiplot
    unset label
    if (y_log && most >= 5 * least) {
        load plot_folder . "value_axis.gp"
    } else {
        if (y_log) { set logscale y 10 } else { unset logscale y }
        set yrange [y_first:y_last]
        mark_font = larger(y_first, y_last) >= 1e13 || larger(y_first, y_last) < 1e-3 ? ",7" : ",8.5"
        set ytics () font mark_font
        step = step_for(y_first, y_last, 7)
        do for [i = ceil(y_first / step - 1e-6):floor(y_last / step + 1e-6)] {
            set ytics add (mark_name(i * step, y_first, y_last) i * step)
        }
    }
    if (y_tick_count > 0) {
        set ytics () font ",8.5"
        do for [i = 1:y_tick_count] { set ytics add (at_mark(cut(y_tick_name[i], 9)) y_tick[i]) }
    }
    if (x_log) { set logscale x 10 } else { unset logscale x }
    set xrange [value_at(x_first):value_at(x_last)]
    set xtics () font ",8.5"
    unset mxtics
    if (turn_names) { set xtics rotate by 40 right offset 0.6, 0 } else { set xtics norotate }
    last_named = -1e9
    do for [i = 1:x_tick_count] {
        if (is_shown(x_tick[i])) {
            named = !turn_names || px_at(x_tick[i]) - last_named >= turned_px
            if (named) { last_named = px_at(x_tick[i]) }
            set xtics add ((named ? at_mark(cut(x_tick_name[i], name_room(px_at(x_tick[i])))) : "") x_tick[i])
        }
    }
    if (x_tick_count == 0) {
        if (x_log && x_last - x_first >= log10(5)) { load plot_folder . "figure_decades.gp" } else {
            step = step_for(value_at(x_first), value_at(x_last), 7)
            do for [i = ceil(value_at(x_first) / step):floor(value_at(x_last) / step)] {
                set xtics add (mark_name(i * step, value_at(x_first), value_at(x_last)) i * step)
            }
        }
    }

    set lmargin at screen plot_left
    set rmargin at screen plot_right
    set tmargin at screen 1 - title_high / high
    set bmargin at screen bottom / high
    set label 1 title_lines center at screen 0.5, screen 1 - 10.0 / high font ",9.5"
    set label 2 cut(x_title, 48) center at graph 0.5, screen (key_high + 8.0) / high
    # A long name has smaller letters, and room below the chart more than above.
    long_name = strlen(y_title) > 26
    set label 3 cut(y_title, 38) center rotate by 90 at screen 10.0 / wide, graph (long_name ? 0.4 : 0.5) \
        font (long_name ? ",8" : ",9")
    unset key
    plot for [i = 1:(reference == reference ? 1 : 0)] reference with lines \
             linecolor rgb guide_colour linewidth 0.8 dashtype (6, 4) notitle, \
         for [i = 1:series_count] csv every ::series_first[i]::series_last[i] using 1:2 \
             with lines linetype 100 + i notitle, \
         for [i = 1:series_count] csv every ::series_first[i]::series_last[i] \
             using 1:(is_ceiling(i) ? NaN : $2) with points linetype 100 + i notitle, \
         for [i = 1:series_count] csv every ::series_first[i]::series_last[i] using 1:3:(0):($4 - $3) \
             with vectors heads nofilled size graph 0.012, 90 linetype 100 + i dashtype solid notitle

    # The key has a plot of its own, which lets it be taller than the chart.
    unset label
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
    set key at screen 0.52, screen key_high / high center top maxrows key_rows Left reverse
    plot NaN notitle, \
         for [i = 1:series_count] keyentry with linespoints linetype 100 + i \
             title (is_ceiling(i) ? "" : shortened(series_name[i])), \
         for [i = 1:series_count] keyentry with lines linetype 100 + i \
             title (is_ceiling(i) ? shortened(series_name[i]) : "")
    unset multiplot
    unset output
}
