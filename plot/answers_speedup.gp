# Speedup over the base (the sequential variant) against size, kernel time, for several answer
# points.
plot_folder = ARG0[1:strlen(ARG0) - strlen("answers_speedup.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6
load plot_folder . "answers.gp"
if (size_count < 2 || base eq "") { exit }

value_column = "speedup"
low_column = "speedup_ci_low"
high_column = "speedup_ci_high"
value_name = "Speedup, kernel"
key_title = "Speedup over " . base
left_out = until(base, " ")
guide = 1
load plot_folder . "answers_panels.gp"
