# How time grows with the answer point: kernel time against size, both logarithmic, a series for
# each answer point, in one panel for the fastest CPU variant and one for the fastest CUDA variant.
plot_folder = ARG0[1:strlen(ARG0) - strlen("answers_fastest.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6
load plot_folder . "answers.gp"
if (size_count < 2) { exit }

# --- Panels: the variant with the least time at the largest size, over all answer points ------------
at_largest(name) = of_input(0) && set_has(shown_answers, strcol("answer")) && strcol("variant") eq name \
    && strcol("best_tuning") eq "1" && pixels(0) == size_pixels[size_count]
take_cell(ms) = (cells = cells + 1, total_ms = total_ms + ms, 1)
array fastest[2]
panel_count = 0
do for [names in "cpu_names cuda_names"] {
    most_cells = 0
    do for [i = 1:variant_count] {
        cells = 0
        total_ms = 0.0
        stats csv using (at_largest(variant_name[i]) ? take_cell(column("kernel_ms_median")) : 0) nooutput
        better = set_has(value(names), variant_name[i]) \
            && (cells > most_cells || (cells == most_cells && cells > 0 && total_ms < least_ms))
        if (better) {
            if (most_cells == 0) { panel_count = panel_count + 1 }
            most_cells = cells
            least_ms = total_ms
            fastest[panel_count] = i
        }
    }
}
if (panel_count == 0) { exit }
array panel_rows[panel_count]
array panel_title[panel_count]
do for [i = 1:panel_count] {
    panel_rows[i] = variant_name[fastest[i]]
    panel_title[i] = variant_label[fastest[i]]
}

# --- Series: answer points stand where variants do in other charts, from light to dark ---------------
best_of_chart(name) = of_input(0) && strcol("variant") eq panel_rows[panel] && strcol("answer") eq name \
    && strcol("best_tuning") eq "1"
variant_count = answer_count
array variant_name[variant_count]
array variant_label[variant_count]
array variant_style[variant_count]
widest_label = 0
do for [i = 1:variant_count] {
    variant_name[i] = answer_text[i]
    variant_label[i] = answer_name[i]
    variant_style[i] = 301 + int((i - 1.0) * (|size_colour| - 1) / (variant_count - 1) + 0.5)
    if (strlen(variant_label[i]) > widest_label) { widest_label = strlen(variant_label[i]) }
}

value_column = "kernel_ms_median"
low_column = "kernel_ms_ci_low"
high_column = "kernel_ms_ci_high"
value_name = "Kernel time (ms)"
key_title = ""
left_out = ""
guide = 0
load plot_folder . "answers_panels.gp"
