# A logarithmic vertical axis from `least` to `most`, both shown with a little room, and its marks:
# powers of ten, with 2 and 5 between them where the range is short. Expects least, most > 0, and
# spare, the share of the range that is left free at each end. The
# marks have numbers, none so long that it reaches the name of the axis; a panel that shares those of
# the one beside it has values_named 0.
room = (most / least) ** spare
if (room < 1.1) { room = 1.1 }
set logscale y 10
set yrange [least / room:most * room]
set ytics () font ",8.5"
set format y "%g"
value_mark(step, decade) = values_named ? decade_name(step + 0, decade) : ""
steps = most / least < 400 ? "1 2 5" : most / least < 1e9 ? "1" : ""
do for [decade = floor(log10(least / room)):ceil(log10(most * room))] {
    do for [step in steps] { set ytics add (value_mark(step, decade) step * 10.0 ** decade) }
    if (steps eq "" && decade % 2 == 0) { set ytics add (value_mark("1", decade) 10.0 ** decade) }
    if (steps eq "1") { do for [step = 2:9] { set ytics add ("" step * 10.0 ** decade 1) } }
}
