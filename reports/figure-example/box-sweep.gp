# A chart of bench. Run in this folder, with gnuplot 5.4 or later:
#
#   gnuplot -d NAME.gp
#
# draws it from the CSV of this name again. Places of labels and margins are shares of
# the whole picture. 'every ::A::B' takes the lines A to B of the CSV behind its header.
set encoding utf8
set datafile separator comma
csv = 'box-sweep.csv'
set pointintervalbox 0.55
set border 3 linewidth 0.75 linecolor rgb '#303030'
set terminal cairolatex pdf size 3.3346in,2.4395in linewidth 2 header '\fontsize{8}{9.6}\selectfont'
mark_size = 0.5
set output 'box-sweep.tex'
set border 3
set tics nomirror out scale 0.5, 0.25
set xtics border nomirror
set ytics border nomirror
set grid xtics ytics linetype 1 linecolor rgb '#E4E4E4' linewidth 0.5
unset label
unset arrow
unset key
set lmargin at screen 0.1639
set rmargin at screen 0.9833
set tmargin at screen 0.9727
set bmargin at screen 0.2892
set label 'box side (pixels)' at screen 0.5736, 0.1708 center front
set label 'speedup over best CPU' at screen 0.0250, 0.6309 center rotate by 90 front
set logscale x 10
set xrange [0.8010698775896221:319.57262051881264]
set xtics norotate ('1' 1.0, '2' 2.0, '4' 4.0, '8' 8.0, \
    '16' 16.0, '32' 32.0, '64' 64.0, '128' 128.0, \
    '256' 256.0)
set logscale y 10
set yrange [0.007500905213967696:3.704430725017337]
set ytics ('' 0.008 1, '' 0.009 1, '0.01' 0.01, '' 0.02 1, \
    '' 0.03 1, '' 0.04 1, '' 0.05 1, '' 0.06 1, \
    '' 0.07 1, '' 0.08 1, '' 0.09 1, '0.1' 0.1, \
    '' 0.2 1, '' 0.3 1, '' 0.4 1, '' 0.5 1, \
    '' 0.6 1, '' 0.7 1, '' 0.8 1, '' 0.9 1, \
    '1' 1.0, '' 2.0 1, '' 3.0 1)
unset object
within(y) = y < 0.007500905213967696 ? 0.007500905213967696 : y > 3.704430725017337 ? 3.704430725017337 : y
set arrow from screen 0.1881, 0.0979 to screen 0.2281, 0.0979 nohead linecolor rgb '#0072B2' linewidth 1.5 dashtype solid front
set arrow from screen 0.2281, 0.0979 to screen 0.2681, 0.0979 nohead linecolor rgb '#0072B2' linewidth 1.5 dashtype solid front
set label ' ' at screen 0.2281, 0.0979 point pointtype 7 pointsize mark_size linecolor rgb '#0072B2' linewidth 1.5 front
set label 'cuda\_fast' at screen 0.2881, 0.0979 left front
set arrow from screen 0.1881, 0.0433 to screen 0.2281, 0.0433 nohead linecolor rgb '#371794' linewidth 1.5 dashtype solid front
set arrow from screen 0.2281, 0.0433 to screen 0.2681, 0.0433 nohead linecolor rgb '#371794' linewidth 1.5 dashtype solid front
set label ' ' at screen 0.2281, 0.0433 point pointtype 15 pointsize mark_size linecolor rgb '#371794' linewidth 1.5 front
set label 'cuda\_sat' at screen 0.2881, 0.0433 left front
set arrow from screen 0.5140, 0.0979 to screen 0.5540, 0.0979 nohead linecolor rgb '#6A003C' linewidth 1.5 dashtype solid front
set arrow from screen 0.5540, 0.0979 to screen 0.5940, 0.0979 nohead linecolor rgb '#6A003C' linewidth 1.5 dashtype solid front
set label ' ' at screen 0.5540, 0.0979 point pointtype 9 pointsize mark_size linecolor rgb '#6A003C' linewidth 1.5 front
set label 'cuda\_tiled' at screen 0.6140, 0.0979 left front
set arrow from screen 0.5140, 0.0433 to screen 0.5540, 0.0433 nohead linecolor rgb '#473B00' linewidth 1.5 dashtype solid front
set arrow from screen 0.5540, 0.0433 to screen 0.5940, 0.0433 nohead linecolor rgb '#473B00' linewidth 1.5 dashtype solid front
set label ' ' at screen 0.5540, 0.0433 point pointtype 5 pointsize mark_size linecolor rgb '#473B00' linewidth 1.5 front
set label 'cuda\_naive' at screen 0.6140, 0.0433 left front
plot 1.0 with lines linecolor rgb '#202020' linewidth 0.8 dashtype (6, 4) notitle, \
    csv every ::1::9 using 1:(within($3)):(0):(within($4) - within($3)) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#0072B2' linewidth 1 notitle, \
    csv every ::10::18 using 1:(within($3)):(0):(within($4) - within($3)) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#371794' linewidth 1 notitle, \
    csv every ::19::27 using 1:(within($3)):(0):(within($4) - within($3)) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#6A003C' linewidth 1 notitle, \
    csv every ::28::36 using 1:(within($3)):(0):(within($4) - within($3)) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#473B00' linewidth 1 notitle, \
    csv every ::1::9 using 1:2 with linespoints linecolor rgb '#0072B2' linewidth 1.5 dashtype solid pointtype 7 pointsize mark_size notitle, \
    csv every ::10::18 using 1:2 with linespoints linecolor rgb '#371794' linewidth 1.5 dashtype solid pointtype 15 pointsize mark_size notitle, \
    csv every ::19::27 using 1:2 with linespoints linecolor rgb '#6A003C' linewidth 1.5 dashtype solid pointtype 9 pointsize mark_size notitle, \
    csv every ::28::36 using 1:2 with linespoints linecolor rgb '#473B00' linewidth 1.5 dashtype solid pointtype 5 pointsize mark_size notitle
unset output
