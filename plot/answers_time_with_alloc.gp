# As answers_time.gp, with allocation and transfers in the time of a CUDA variant. For lbp_riu this is
# Figure 8 of its study.
plot_folder = ARG0[1:strlen(ARG0) - strlen("answers_time_with_alloc.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6
load plot_folder . "answers.gp"
if (size_count < 2) { exit }
load plot_folder . "answers_with_alloc.gp"
if (alloc_cells == 0) { exit }

has_value(unused) = strlen(strcol(of_cpu(0) ? "kernel_ms_median" : "with_alloc_ms")) > 0
value_here(unused) = column(of_cpu(0) ? "kernel_ms_median" : "with_alloc_ms")
low_here(unused) = of_cpu(0) ? end_of("kernel_ms_ci_low", "kernel_ms_median") : value_here(0)
high_here(unused) = of_cpu(0) ? end_of("kernel_ms_ci_high", "kernel_ms_median") : value_here(0)
value_name = "Time with allocation (ms)"
key_title = "CUDA: allocation, upload, kernel, download"
left_out = ""
guide = 0
load plot_folder . "answers_panels.gp"
