# The look of every chart: its width, colours, shapes of lines and points, and how numbers and names
# are written.
set encoding utf8
set datafile separator comma

# A column of a paper (9 cm) in px at 96 an inch, and the scale that gives PNG 300.
wide = 340.0
png_scale = 1063.0 / wide

# --- Colours and shapes -----------------------------------------------------------------------------
# Those of series stand in the settings (bench/report/look.c): series_rgb, series_shape, series_hollow,
# series_dash.
# Steps from light to dark, for series that have an order.
array steps_of_colour = ["#FDC926", "#F79044", "#DE6164", "#B6308B", "#8405A7", "#4B03A1", "#0D0887"]
# Parts of bars that are not stages of a kernel.
array greys = ["#E2E2E2", "#6B7480", "#9AA3AE", "#C6C6C6"]
# Where the GPU wins and where it loses: lighter than the grid.
win_colour = "#F1F8F3"; lose_colour = "#FBF3F0"; win_ink = "#2E6B40"; lose_ink = "#8A3A28"
# Lines that guide the eye.
guide_colour = "#202020"
array full_point = [7, 5, 9, 13, 11, 15]
array hollow_point = [6, 4, 8, 12, 10, 14]
# Ceilings are thin and black, told apart by their dashes.
array ceiling_dash = ["solid", "(10, 5)", "(1.5, 4)", "(10, 4, 1.5, 4)", "(20, 5)", \
    "(4, 4)", "(10, 4, 1.5, 4, 1.5, 4)", "(20, 4, 4, 4)"]

# Styles of series, as bench/report/report.h numbers them.
measured = 0; secondary = 1; published = 2; ceiling = 3

most_colour = 0
do for [i = 1:series_count] { if (series_colour[i] > most_colour) { most_colour = series_colour[i] } }
step_of(colour) = most_colour == 0 ? 5 : most_colour < |steps_of_colour| \
    ? 1 + int(1.0 * colour * (|steps_of_colour| - 1) / most_colour + 0.5) : 1 + colour % |steps_of_colour|
colour_of(i) = ordered ? steps_of_colour[step_of(series_colour[i])] : series_rgb[i]
shape_of(i) = ordered ? 1 + series_colour[i] % |full_point| : series_shape[i]
measured_point(i) = !ordered && series_hollow[i] ? hollow_point[shape_of(i)] : full_point[shape_of(i)]

# --- Words --------------------------------------------------------------------------------------------
cut(words, most) = strlen(words) > most ? words[1:most - 1] . "…" : words
last_blank(words, place) = place < 1 || words[place:place] eq " " ? place : last_blank(words, place - 1)
line_end(words, most) = strlen(words) <= most ? strlen(words) : last_blank(words, most + 1)
# On so many lines of so many letters, broken at blanks.
in_lines(words, lines, most) = lines == 1 || line_end(words, most) < 1 || line_end(words, most) == strlen(words) \
    ? cut(words, most) : words[1:line_end(words, most) - 1] . "\n" \
    . in_lines(words[line_end(words, most) + 1:*], lines - 1, most)
lines_of(words) = strstrt(words, "\n") == 0 ? 1 : 1 + lines_of(words[strstrt(words, "\n") + 1:*])
# Points of axes, on lines broken at commas.
last_comma(words, place) = place < 1 || words[place:place] eq "," ? place : last_comma(words, place - 1)
comma_end(words, most) = strlen(words) <= most ? strlen(words) : last_comma(words, most)
in_comma_lines(words, lines, most) = lines == 1 || comma_end(words, most) < 1 || comma_end(words, most) == strlen(words) \
    ? in_lines(words, lines, most) : words[1:comma_end(words, most)] . "\n" \
    . in_comma_lines(words[comma_end(words, most) + 2:*], lines - 1, most)
# Both lines of a title.
whole_title(most) = in_lines(figure_title, 3, most) \
    . (figure_subtitle eq "" ? "" : "\n" . in_comma_lines(figure_subtitle, 2, most))
# Names that are too long lose their middle: their ends tell them apart.
name_most = 52
shortened(words) = strlen(words) <= name_most ? words \
    : words[1:name_most / 2 - 1] . "…" . words[strlen(words) - name_most / 2 + 1:*]

# gnuplot takes the name at a mark for a format, in which two percent signs are one.
add_to_mark(letter) = (mark_words = mark_words . (letter eq "%" ? "%%" : letter), 0)
at_mark(words) = (mark_words = "", sum [i = 1:strlen(words)] add_to_mark(words[i:i]), mark_words)

# "⁻¹²" for -12.
raised(power) = power < 0 ? "⁻" . raised(-power) : power > 9 ? raised(power / 10) . raised(power % 10) \
    : word("⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹", power + 1)
# "0.05", "200", "10⁵", "2·10⁻⁷"
decade_name(step, decade) = decade > -4 && decade < 5 ? sprintf("%g", step * 10.0 ** decade) \
    : (step == 1 ? "" : sprintf("%d·", step)) . "10" . raised(decade)

# --- Marks of axes that are not logarithmic, or of few values: 1, 2 or 5 of a power of ten -----------------
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
