# Charts against a tuning axis: the sizes (as in series.gp) and the values of `axis` that `variant`
# was measured at, in ascending order: axis_number[] and axis_count. Each pair of size and value is
# represented by its fastest cell, should the variant have further axes.

sizes = "\t"; values = "\t"; base = ""
of_sweep(unused) = of_chart(0) && strcol("variant") eq variant && axis_value(strcol("tuning"), axis) ne ""
collect_row(value) = (sizes = set_add(sizes, sprintf("%.0f:%s", pixels(0), strcol("size"))), \
    values = set_add(values, value), 1)
stats csv using (of_sweep(0) ? collect_row(axis_value(strcol("tuning"), axis)) : 0) nooutput
load plot_folder . "sizes.gp"

# From the first to the last of the ordered colours, however many sizes there are.
array size_style[size_count > 0 ? size_count : 1]
do for [i = 1:size_count] {
    size_style[i] = size_count == 1 ? 5 : size_count <= |size_colour| \
        ? 1 + int((i - 1.0) * (|size_colour| - 1) / (size_count - 1) + 0.5) : 1 + (i - 1) % 10
}

axis_count = set_size(values)
array axis_number[axis_count > 0 ? axis_count : 1]
do for [i = 1:axis_count] {
    number = real(set_first(values))
    values = set_behind(values, 1)
    place = i
    while (place > 1 ? axis_number[place - 1] > number : 0) {
        axis_number[place] = axis_number[place - 1]
        place = place - 1
    }
    axis_number[place] = number
}

# The fastest cells of a size: cell_ms[] with their intervals, in the order of axis_number[]; 1e300
# where there is none.
array cell_ms[|axis_number|]
array cell_low[|axis_number|]
array cell_high[|axis_number|]
number_place(number, first, last) = first >= last ? first \
    : axis_number[(first + last) / 2] < number ? number_place(number, (first + last) / 2 + 1, last) \
    : number_place(number, first, (first + last) / 2)
here(unused) = number_place(real(axis_value(strcol("tuning"), axis)), 1, axis_count)
take_cell(j) = column("kernel_ms_median") < cell_ms[j] ? (cell_low[j] = end_of("kernel_ms_ci_low", "kernel_ms_median"), \
    cell_high[j] = end_of("kernel_ms_ci_high", "kernel_ms_median"), cell_ms[j] = column("kernel_ms_median")) : 0
is_of_size(i) = of_sweep(0) && pixels(0) == size_pixels[i]
read_cells = 'do for [j = 1:axis_count] { cell_ms[j] = 1e300 }; ' \
    . 'stats csv using (is_of_size(i) ? take_cell(here(0)) : 0) nooutput'

# The horizontal axis: a mark at every value, logarithmic when the values span a factor of 8.
axis_range = axis_count > 1 ? axis_number[axis_count] / axis_number[1] : 1
axis_log = axis_count > 1 && axis_number[1] > 0 && axis_range >= 8
axis_place(number) = axis_log ? log10(number) : number
