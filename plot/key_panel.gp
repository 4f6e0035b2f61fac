# The key of charts against size, in the lowest `key_high` px of a multiplot of `high` px: a key is
# never taller than its plot, so it gets one to itself. Shows every variant but `left_out` and the
# roofs, under `key_title`.
unset label
unset title
unset xlabel
unset ylabel
unset tics
unset border
unset logscale
set xrange [0:1]
set yrange [0:1]
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen key_high / high
set bmargin at screen 0
if (strlen(key_title) > 0) { set key title key_title font ",8.5" } else { set key notitle }
set key at screen 0.55, screen key_high / high center top maxrows key_rows Left reverse
plot NaN notitle, \
     for [i = 1:variant_count] keyentry with linespoints linetype variant_style[i] \
         title (variant_name[i] eq left_out ? "" : variant_label[i]), \
     for [i = 1:roof_count] keyentry with lines linecolor rgb guide_colour linewidth 1.1 \
         dashtype roof_dash[i] title roof_title[i]
