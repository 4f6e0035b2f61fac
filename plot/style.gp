# What every chart shares: how results.csv is read, which rows belong to the chart, colours, shapes,
# terminals. A chart script is called as
#
#   gnuplot -c SCRIPT results.csv ALGORITHM INPUT ANSWER chart.svg chart.png [VARIANT AXIS [SIZE]]
#
# and, since gnuplot forgets the arguments of a script that loads another, calls this file with the
# same arguments. Charts are a column of a paper wide (looks.gp), with the same drawing in SVG and PNG.
# Charts of several answer points have no ANSWER and are wider.

set encoding utf8

# A file that ends in .tsv has tabs between its fields, any other has commas. gnuplot ends a quoted
# field at the first comma in it: names and points with commas need the tabs. Series that a script
# collects from the file have commas and no header.
separator = strlen(ARG1) > 4 && ARG1[strlen(ARG1) - 3:*] eq ".tsv" ? '"\t"' : "comma"
read_file = "set datafile separator " . separator . "; set datafile columnheaders"
read_series = "set datafile separator comma; unset datafile columnheaders"
eval(read_file)

csv = ARG1
algorithm = ARG2
input = ARG3
answer = ARG4
array chart_file = [ARG5, ARG6]
variant = ARG7
axis = ARG8

# Files of older versions have fewer columns. The heading is read field by field: gnuplot cuts off words
# as long as the whole line.
unset datafile columnheaders
stats csv every ::0::0 using 0 nooutput
heading_count = int(STATS_columns)
heading = "\t"
take_heading(i) = (heading = heading . strcol(i) . "\t", 1)
stats csv every ::0::0 using (sum [i = 1:heading_count] take_heading(i)) nooutput
eval(read_file)
has_column(name) = strstrt(heading, "\t" . name . "\t") > 0

# --- Rows ---------------------------------------------------------------------------------------
of_chart(unused) = strcol("algorithm") eq algorithm && strcol("input") eq input \
               && strcol("answer") eq answer && strcol("status") eq "ok"
best_of_chart(name) = of_chart(0) && strcol("variant") eq name && strcol("best_tuning") eq "1"
pixels(unused) = column("width") * column("height")
of_sets = 0
if (has_column("images")) {
    images(unused) = strlen(strcol("images")) > 0 ? column("images") : 1
    pixels(unused) = column("width") * column("height") * images(0)
    stats csv using (strcol("algorithm") eq algorithm && strlen(strcol("images")) > 0 ? (of_sets = 1) : 0) nooutput
}
# An end of an interval; the value itself where too few samples gave no interval.
end_of(name, value) = strlen(strcol(name)) > 0 ? column(name) : column(value)

# What a series shows: a column, with the columns of the ends of its interval. A chart that shows
# more than columns has functions of its own.
has_value(unused) = strlen(strcol(value_column)) > 0
value_here(unused) = column(value_column)
low_here(unused) = end_of(low_column, value_column)
high_here(unused) = end_of(high_column, value_column)

# Sets of words are strings that begin and end with a tab and have one between any two words.
set_has(words, word) = strstrt(words, "\t" . word . "\t") > 0
set_add(words, word) = set_has(words, word) ? words : words . word . "\t"
# Sums, not functions that call themselves: gnuplot ends such a script at about 250 calls.
set_marks(words) = sum [set_at = 1:strlen(words)] (words[set_at:set_at] eq "\t" ? 1 : 0)
set_size(words) = strlen(words) < 2 ? 0 : set_marks(words) - 1
set_place(words, word) = set_marks(words[1:strstrt(words, "\t" . word . "\t")])
set_skip(unused) = strlen(set_rest = set_rest[strstrt(set_rest[2:*], "\t") + 1:*])
set_behind(words, n) = (set_rest = words, set_skipped = sum [set_at = 1:n] set_skip(0), set_rest)
set_first(words) = words[2:strstrt(words[2:*], "\t")]
set_word(words, n) = set_first(set_behind(words, n - 1))

# "tile" of "tile:8,threads:4" is "8"; empty when the point has no such axis.
until(words, mark) = strstrt(words, mark) > 0 ? words[1:strstrt(words, mark) - 1] : words
axis_value(point, axis) = strstrt("," . point, "," . axis . ":") == 0 ? "" \
    : until(point[strstrt("," . point, "," . axis . ":") + strlen(axis) + 1:*], ",")
axis_names(point) = strstrt(point, ",") == 0 ? until(point, ":") \
    : until(point, ":") . ", " . axis_names(point[strstrt(point, ",") + 1:*])

# Sizes of sets are named after the number of their images, "60000"; without more words they would be
# numbers of nothing.
all_digits(word) = word eq "" || (strstrt("0123456789", word[1:1]) > 0 && all_digits(word[2:*]))
size_in_words(name) = of_sets && all_digits(name) ? name . " images" : name

# --- Colours and shapes ---------------------------------------------------------------------------
# Okabe and Ito's colours, told apart by people with any colour vision. CPU variants are warm and
# dashed, CUDA variants cool and solid; shapes differ as well, so that a grey print can be read.
array cpu_colour = ["#D55E00", "#E69F00", "#CC79A7", "#8C4A00", "#A8437A", "#B8A000"]
array cpu_point = [4, 6, 8, 10, 12, 14]
array cuda_colour = ["#56B4E9", "#0072B2", "#009E73", "#332288", "#8F87F0", "#00C2B2", "#005F45", "#5B7C99"]
array cuda_point = [7, 5, 9, 13, 11, 15, 6, 4]
array size_colour = ["#FDC926", "#F79044", "#DE6164", "#B6308B", "#8405A7", "#4B03A1", "#0D0887"]
array size_point = [4, 6, 8, 10, 12, 5, 7, 9, 11, 13]

# Beyond the last colour they begin again with other shapes.
do for [i = 1:24] {
    set linetype 100 + i linecolor rgb cpu_colour[1 + (i - 1) % 6] \
        pointtype cpu_point[1 + (i - 1 + (i - 1) / 6) % 6] dashtype (8, 3) linewidth 1.2 pointsize 0.55
    set linetype 200 + i linecolor rgb cuda_colour[1 + (i - 1) % 8] \
        pointtype cuda_point[1 + (i - 1 + (i - 1) / 8) % 8] dashtype solid linewidth 1.2 pointsize 0.5
}

# Sizes are ordered, and so are their colours: light for small, dark for large.
do for [i = 1:10] {
    set linetype 300 + i linecolor rgb size_colour[1 + (i - 1) % |size_colour|] pointtype size_point[i] \
        dashtype solid linewidth 1.2 pointsize 0.55
}

load plot_folder . "looks.gp"
load plot_folder . "frame.gp"
values_named = 1
set key noenhanced samplen 2.6 spacing 1.05 font ",8"

# An answer point in words: "pr 8:1, interp bilinear" for "pr:8:1,interp:bilinear".
axis_in_words(part) = until(part, ":") . " " . part[strstrt(part, ":") + 1:*]
in_words(point) = strstrt(point, ",") == 0 ? axis_in_words(point) \
    : axis_in_words(until(point, ",")) . ", " . in_words(point[strstrt(point, ",") + 1:*])

# "lbp on meadow.jpg", and the answer point on one or two lines of its own, all cut to what fits.
line_most = 44
cut(words, most) = strlen(words) > most ? words[1:most - 1] . "…" : words
last_comma(words, place) = place < 1 || words[place:place] eq "," ? place : last_comma(words, place - 1)
line_end(words) = strlen(words) <= line_most ? strlen(words) : last_comma(words, line_most)
in_lines(words) = line_end(words) < 1 || line_end(words) == strlen(words) ? cut(words, line_most) \
    : words[1:line_end(words)] . "\n" . cut(words[line_end(words) + 2:*], line_most)
title_of(what) = cut(sprintf("%s on %s", what, input), line_most) \
    . (answer eq "" ? "" : "\n" . in_lines(in_words(answer)))
title_high = answer eq "" ? 20.0 : strstrt(in_lines(in_words(answer)), "\n") == 0 ? 35.0 : 50.0
