# Times as the study of lbp_riu counts them in its Figures 7 and 8: allocation, upload, kernel and
# download on the GPU, the run alone on the CPU. Needs answers.gp; gives alloc_cells, the number of
# cells for which that differs from the kernel time.
of_cpu(unused) = strcol("backend") eq "cpu"
has_alloc(unused) = of_input(0) && set_has(shown_answers, strcol("answer")) && !of_cpu(0) \
    && strlen(strcol("with_alloc_ms")) > 0
alloc_cells = 0
stats csv using (has_alloc(0) ? (alloc_cells = alloc_cells + 1) : 0) nooutput
