# Kernel time against size, both logarithmic, with 95% intervals and the measured roofs.
plot_folder = ARG0[1:strlen(ARG0) - strlen("time.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6
load plot_folder . "series.gp"
if (size_count < 2) { exit }

# Variants are shown with the exponent of their size, where the file has one and the name stays short
# enough for half the width of the key.
take_exponent(unused) = strlen(strcol("exponent")) > 0 ? (exponent = column("exponent")) : 0
if (has_column("exponent")) {
    do for [i = 1:variant_count] {
        exponent = NaN
        stats csv using (best_of_chart(variant_name[i]) ? take_exponent(0) : 0) nooutput
        exponent_label = variant_label[i] . sprintf(", n^%.2f", exponent)
        if (exponent == exponent && strlen(exponent_label) <= 21) { variant_label[i] = exponent_label }
    }
}

value_column = "kernel_ms_median"
low_column = "kernel_ms_ci_low"
high_column = "kernel_ms_ci_high"
left_out = ""
load plot_folder . "series_data.gp"
if (block_count == 0) { exit }

# One roof for each backend: the least time that any measured ceiling allows at a size. It is named
# after the ceiling at the largest size. $roofs has a block for each.
take_roof(unused) = column("roof_ms") < roof_ms ? (roof_ms = column("roof_ms"), roof_label = strcol("roof")) : ""
roof_count = 0
array roof_title[2]
array roof_dash[2] = [2, 1]
set print $roofs
print "# first block"
set print
do for [backend in "cpu cuda"] {
    roof_label = ""
    set print $roofs append
    do for [i = 1:size_count] {
        roof_ms = 1e300
        stats csv using (of_chart(0) && strcol("backend") eq backend && pixels(0) == size_pixels[i] \
            && strlen(strcol("roof_ms")) > 0 ? strlen(take_roof(0)) : 0) nooutput
        if (roof_ms < 1e300) {
            print sprintf("%.0f,%.9g", size_pixels[i], roof_ms)
            roof_widened = widen(roof_ms)
        }
    }
    if (roof_label ne "") {
        print ""
        print ""
        roof_count = roof_count + 1
        # "copy/omp/threads:16" was measured beside the cells, "copy_dram/threads:16" is a ceiling.
        roof_title[roof_count] = "roof: " . (until(roof_label, "/") eq "copy" \
            ? "copy, " . until(roof_label[strstrt(roof_label, "/") + 1:*], "/") : until(roof_label, "/"))
    }
    set print
}

# Two roofs of one name are told apart by whose they are.
if (roof_count == 2 && roof_title[1] eq roof_title[2]) {
    roof_title[1] = roof_title[1] . ", CPU"
    roof_title[2] = roof_title[2] . ", GPU"
}

key_title = ""
key_rows = int((block_count + roof_count + key_columns - 1) / key_columns)
plot_width = wide * 0.77
axis_named = 1
load plot_folder . "size_axis.gp"
key_high = 6 + 12.8 * key_rows
bottom = names_high + key_high
high = int(185 + title_high + bottom)
eval(read_series)
do for [format = 1:2] {
    load plot_folder . "terminal.gp"
    load plot_folder . "frame.gp"
    load plot_folder . "size_axis.gp"
    set multiplot
    load plot_folder . "value_axis.gp"
    set lmargin at screen 0.2
    set rmargin at screen 0.97
    set tmargin at screen 1 - title_high / high
    set bmargin at screen bottom / high
    set title title_of(algorithm) font ",9.5" offset 0, -0.6
    set label 2 size_axis_title center at graph 0.5, screen (key_high + 8.0) / high
    set ylabel "Kernel time (ms)" offset 0.5, 0
    unset key
    plot for [i = 1:roof_count] $roofs index i - 1 using 1:2 with lines \
             linecolor rgb guide_colour linewidth 1.1 dashtype roof_dash[i] notitle, \
         for [i = 1:block_count] $data index i - 1 using 1:2 smooth unique with linespoints \
             linetype variant_style[block_variant[i]] notitle, \
         for [i = 1:block_count] $data index i - 1 using 1:3:(0):($4 - $3) \
             with vectors heads nofilled size graph 0.012, 90 linetype variant_style[block_variant[i]] dashtype solid notitle
    load plot_folder . "key_panel.gp"
    unset multiplot
    unset output
}
