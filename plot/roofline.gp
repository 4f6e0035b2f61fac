# Roofline: operations a second against operations per byte, both logarithmic, at the largest size.
# Lines are the measured ceilings of one CPU thread, of the most threads and of the GPU: bandwidth
# times intensity, up to the rate of operations. Points are the variants, each at its best tuning
# point, with the 95% interval of their time.
plot_folder = ARG0[1:strlen(ARG0) - strlen("roofline.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6
load plot_folder . "series.gp"
if (size_count < 1) { exit }

here(unused) = of_chart(0) && pixels(0) == size_pixels[size_count]
has_number(name) = strlen(strcol(name)) > 0
intensity(unused) = column("operations") / column("bytes")
rate_at(ms) = column("operations") / ms * 1e-6

# --- Points: a block for each variant ---------------------------------------------------------------
least = 1e300
most = 0
least_intensity = 1e300
most_intensity = 0
has_point(name) = best_of_chart(name) && here(0) && has_number("operations") && has_number("bytes") \
    && column("operations") > 0 && column("kernel_ms_median") > 0
take_rate(rate) = (least = rate < least ? rate : least, most = rate > most ? rate : most)
take_point(unused) = ( \
    point_x = intensity(0), point_y = rate_at(column("kernel_ms_median")), \
    point_low = rate_at(end_of("kernel_ms_ci_high", "kernel_ms_median")), \
    point_high = rate_at(end_of("kernel_ms_ci_low", "kernel_ms_median")), \
    take_rate(point_low), take_rate(point_high), \
    least_intensity = point_x < least_intensity ? point_x : least_intensity, \
    most_intensity = point_x > most_intensity ? point_x : most_intensity, 1)
array block_variant[variant_count]
block_count = 0
set print $data
print "# first block"
do for [i = 1:variant_count] {
    point_x = 0
    stats csv using (has_point(variant_name[i]) ? take_point(0) : 0) nooutput
    if (point_x > 0) {
        block_count = block_count + 1
        block_variant[block_count] = i
        print sprintf("%.9g,%.9g,%.9g,%.9g", point_x, point_y, point_low, point_high)
        print ""
        print ""
    }
}
set print
if (block_count == 0) { exit }

# --- Roofs: of one thread, of the most threads, of the device ---------------------------------------
has_roof(threads) = here(0) && column("threads") == threads \
    && has_number("ceiling_gb_s") && has_number("ceiling_gop_s")
most_threads = 0
take_threads(unused) = column("threads") > most_threads ? (most_threads = column("threads")) : 0
stats csv using (here(0) && has_number("ceiling_gb_s") ? take_threads(0) : 0) nooutput
take_roof(unused) = ( \
    bandwidth = column("ceiling_gb_s") > bandwidth ? column("ceiling_gb_s") : bandwidth, \
    operations = column("ceiling_gop_s") > operations ? column("ceiling_gop_s") : operations, 1)
array roof_bandwidth[3]
array roof_operations[3]
array roof_name[3]
array roof_dash[3] = [3, 2, 1]
array roof_title[3]
roof_count = 0
least_ridge = 1e300
most_ridge = 0
do for [threads in sprintf("1 %d 0", most_threads)] {
    bandwidth = 0
    operations = 0
    stats csv using (has_roof(int(threads)) ? take_roof(0) : 0) nooutput
    named = threads eq "0" ? "GPU" : threads eq "1" ? "1 thread" : threads . " threads"
    twice = roof_count > 0 ? roof_name[roof_count] eq named : 0
    if (operations > 0 && !twice) {
        roof_count = roof_count + 1
        roof_bandwidth[roof_count] = bandwidth
        roof_operations[roof_count] = operations
        roof_name[roof_count] = named
        roof_title[roof_count] = ""
        ridge = operations / bandwidth
        least_ridge = ridge < least_ridge ? ridge : least_ridge
        most_ridge = ridge > most_ridge ? ridge : most_ridge
        most = operations > most ? operations : most
    }
}
if (roof_count == 0) { exit }

# --- Axes -------------------------------------------------------------------------------------------
# Room for the slopes to the left of points and ridges, and for the flat parts to the right.
first_x = (least_ridge < least_intensity ? least_ridge : least_intensity) / 25
last_x = (most_ridge > most_intensity ? most_ridge : most_intensity) * 12
most = most * 1.6
least = least / 1.5
plot_width = wide * 0.79
plot_height = 190.0
key_title = ""
# A variant that has no point at this size is not in the key either.
has_block(i, n) = n > 0 && (block_variant[n] == i || has_block(i, n - 1))
do for [i = 1:variant_count] { if (!has_block(i, block_count)) { variant_label[i] = "" } }
key_rows = int((block_count + key_columns - 1) / key_columns)
key_high = 6 + 12.8 * key_rows
bottom = key_high + 42.0
high = int(plot_height + title_high + bottom)

# Slopes are written along, at the angle they have on the page.
room = (most / least) ** 0.05
slope = atan2(plot_height / log10(most / least * room ** 2), plot_width / log10(last_x / first_x)) * 180 / pi
amount(value, unit) = value >= 1000 ? sprintf("%.3g T%s", value / 1000, unit) : sprintf("%.3g G%s", value, unit)
roof_at(i, x) = x * roof_bandwidth[i] < roof_operations[i] ? x * roof_bandwidth[i] : roof_operations[i]
# A slope is named where it enters the plot, by the left or by the lower edge.
label_x(i) = first_x * roof_bandwidth[i] > least ? first_x * 1.15 : least / roof_bandwidth[i] * 1.15

# Above its line, or below where the line above it is too near: there are 14 px to a name.
px_per_decade = plot_height / log10(most / least * room ** 2)
beside(value, above) = above > 0 && abs(log10(above / value)) * px_per_decade < 14 ? -0.75 : 0.75
array slope_offset[roof_count]
array flat_offset[roof_count]
do for [i = 1:roof_count] {
    slope_offset[i] = beside(roof_bandwidth[i], i < roof_count ? roof_bandwidth[i + 1] : 0)
    flat_offset[i] = beside(roof_operations[i], i < roof_count ? roof_operations[i + 1] : 0)
}

eval(read_series)
left_out = ""
do for [format = 1:2] {
    load plot_folder . "terminal.gp"
    load plot_folder . "frame.gp"
    set multiplot
    load plot_folder . "value_axis.gp"
    set logscale x 10
    set xrange [first_x:last_x]
    set xtics () font ",8.5"
    unset mxtics
    do for [decade = floor(log10(first_x)):ceil(log10(last_x))] {
        set xtics add (sprintf("%g", 10.0 ** decade) 10.0 ** decade)
        do for [step = 2:9] { set xtics add ("" step * 10.0 ** decade 1) }
    }
    set lmargin at screen 0.18
    set rmargin at screen 0.97
    set tmargin at screen 1 - title_high / high
    set bmargin at screen bottom / high
    set title title_of(sprintf("%s at %s", algorithm, size_in_words(size_name[size_count]))) font ",9.5" offset 0, -0.6
    set xlabel "Least operations per byte" offset 0, 0.4
    set ylabel "Operations per second (Gop/s)" offset 0.5, 0
    unset label
    do for [i = 1:roof_count] {
        set label sprintf("%s, %s", roof_name[i], amount(roof_bandwidth[i], "B/s")) \
            at label_x(i), label_x(i) * roof_bandwidth[i] left rotate by slope offset 0, slope_offset[i] \
            font ",7.5" textcolor rgb guide_colour front
        set label sprintf("%s, %s", roof_name[i], amount(roof_operations[i], "op/s")) \
            at last_x / 1.1, roof_operations[i] right offset 0, flat_offset[i] * 0.7 font ",7.5" textcolor rgb guide_colour front
    }
    unset key
    set samples 400
    plot for [i = 1:roof_count] roof_at(i, x) with lines \
             linecolor rgb guide_colour linewidth 1.1 dashtype roof_dash[i] notitle, \
         for [i = 1:block_count] $data index i - 1 using 1:3:(0):($4 - $3) \
             with vectors heads nofilled size graph 0.012, 90 linetype variant_style[block_variant[i]] dashtype solid notitle, \
         for [i = 1:block_count] $data index i - 1 using 1:2 with points \
             linetype variant_style[block_variant[i]] notitle
    roof_lines = roof_count
    roof_count = 0
    load plot_folder . "key_panel.gp"
    roof_count = roof_lines
    unset multiplot
    unset output
}
