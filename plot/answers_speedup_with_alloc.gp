# As answers_speedup.gp, with allocation and transfers in the time of a CUDA variant. For lbp_riu this
# is Figure 7 of its study.
plot_folder = ARG0[1:strlen(ARG0) - strlen("answers_speedup_with_alloc.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6
load plot_folder . "answers.gp"
if (size_count < 2 || base eq "") { exit }
load plot_folder . "answers_with_alloc.gp"
if (alloc_cells == 0) { exit }

has_value(unused) = strlen(strcol(of_cpu(0) ? "speedup" : "with_alloc_ms")) > 0 \
    && strlen(strcol("base_ms")) > 0
value_here(unused) = of_cpu(0) ? column("speedup") : column("base_ms") / column("with_alloc_ms")
low_here(unused) = of_cpu(0) ? end_of("speedup_ci_low", "speedup") : value_here(0)
high_here(unused) = of_cpu(0) ? end_of("speedup_ci_high", "speedup") : value_here(0)
value_name = "Speedup, with allocation"
key_title = "Speedup over " . base . "; CUDA: allocation, upload, kernel, download"
left_out = until(base, " ")
guide = 1
load plot_folder . "answers_panels.gp"
