# Marks of a logarithmic horizontal axis from x_least to x_most without names of its own: powers of
# ten, with 2 and 5 between them where the range is short. Uses x_first, x_last, is_shown and
# names_shown.
decades = x_last - x_first
steps = decades < 2.2 ? "1 2 5" : "1"
decades_between = ceil(decades / 7.0)
do for [decade = floor(x_first):ceil(x_last)] {
    do for [step in steps] {
        value = step * 10.0 ** decade
        if (is_shown(value) && decade % decades_between == 0) {
            set xtics add ((names_shown ? decade_name(step + 0, decade) : "") value)
        }
    }
    if (steps eq "1" && decades_between == 1) { do for [step = 2:9] { set xtics add ("" step * 10.0 ** decade 1) } }
}
