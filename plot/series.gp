# Charts against size: which variants and sizes the chart has, how they are named and styled.
# Gives variant_name[], variant_label[], variant_style[] and variant_count, key_columns,
# size_axis_title, and what sizes.gp gives.

cpu_names = "\t"; cuda_names = "\t"; shown = "\t"; tunings = "\t"; sizes = "\t"; sides = "\t"
base = ""; best_cpus = "\t"

collect_style(name, backend) = backend eq "cpu" ? (cpu_names = set_add(cpu_names, name)) \
                                                : (cuda_names = set_add(cuda_names, name))
collect_row(name, point) = ( \
    shown = set_add(shown, name), \
    tunings = set_add(tunings, name . "=" . point), \
    sizes = set_add(sizes, sprintf("%.0f:%s", pixels(0), strcol("size"))), \
    sides = set_add(sides, strcol("width") . "x" . strcol("height")), \
    base = base eq "" ? strcol("base") : base, \
    best_cpus = strcol("best_cpu") eq "" ? best_cpus : set_add(best_cpus, until(strcol("best_cpu"), "/")), \
    1)

# Colours are given out over all variants of the algorithm, so that one keeps its colour in every
# chart of a file.
stats csv using (strcol("algorithm") eq algorithm ? strlen(collect_style(strcol("variant"), strcol("backend"))) : 0) nooutput
stats csv using (of_chart(0) ? collect_row(strcol("variant"), strcol("tuning")) : 0) nooutput

style_of(name) = set_has(cpu_names, name) ? 101 + (set_place(cpu_names, name) - 1) % 24 \
                                          : 201 + (set_place(cuda_names, name) - 1) % 24

# "omp (best threads)" where several tuning points were measured, "omp (threads:4)" for one.
points_of(words, name) = words[strstrt(words, "\t" . name . "=") + strlen(name) + 2:*]
first_point(words, name) = until(points_of(words, name), "\t")
has_points(words, name) = strstrt(points_of(words, name), "\t" . name . "=") > 0
label_of(name) = first_point(tunings, name) eq "" ? name : has_points(tunings, name) \
    ? name . " (best " . axis_names(first_point(tunings, name)) . ")" \
    : name . " (" . first_point(tunings, name) . ")"

widest_label = 0
variant_count = set_size(shown)
array variant_name[variant_count > 0 ? variant_count : 1]
array variant_label[variant_count > 0 ? variant_count : 1]
array variant_style[variant_count > 0 ? variant_count : 1]
do for [i = 1:variant_count] {
    variant_name[i] = set_word(shown, i)
    variant_label[i] = label_of(variant_name[i])
    variant_style[i] = style_of(variant_name[i])
    if (strlen(variant_label[i]) > widest_label) { widest_label = strlen(variant_label[i]) }
}

load plot_folder . "sizes.gp"

# Places along the axis are pixels, which for sets of equal images is in proportion to their number.
size_axis_title = !of_sets ? "Image size (pixels, logarithmic)" : set_size(sides) == 1 \
    ? "Number of images (logarithmic)" : "Pixels of all images (logarithmic)"

best_cpu_names = ""
do for [i = 1:set_size(best_cpus)] {
    best_cpu_names = best_cpu_names . (i > 1 ? ", " : "") . set_word(best_cpus, i)
}

# The key below a chart: two columns, or one where a label is too long for half the width.
key_columns = widest_label > 25 ? 1 : 2
