# Speedup over the base (the sequential variant) against size, kernel and end-to-end.
plot_folder = ARG0[1:strlen(ARG0) - strlen("speedup.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6
load plot_folder . "series.gp"
if (size_count < 2 || base eq "") { exit }

over = base
left_out = until(base, " ")
kernel_column = "speedup"
total_column = "speedup_end_to_end"
load plot_folder . "speedup_panels.gp"
