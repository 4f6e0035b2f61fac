# Speedup over the fastest CPU cell of the same size, kernel and end-to-end.
plot_folder = ARG0[1:strlen(ARG0) - strlen("speedup_best_cpu.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6
load plot_folder . "series.gp"
if (size_count < 2 || best_cpu_names eq "") { exit }

over = "the best CPU variant (" . best_cpu_names . ")"
left_out = ""
kernel_column = "speedup_vs_best_cpu"
total_column = "speedup_end_to_end_vs_best_cpu"
load plot_folder . "speedup_panels.gp"
