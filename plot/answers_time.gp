# Kernel time against size, both logarithmic, for several answer points.
plot_folder = ARG0[1:strlen(ARG0) - strlen("answers_time.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6
load plot_folder . "answers.gp"
if (size_count < 2) { exit }

value_column = "kernel_ms_median"
low_column = "kernel_ms_ci_low"
high_column = "kernel_ms_ci_high"
value_name = "Kernel time (ms)"
key_title = ""
left_out = ""
guide = 0
load plot_folder . "answers_panels.gp"
