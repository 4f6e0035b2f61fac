# A chart of bench. Run in this folder, with gnuplot 5.4 or later:
#
#   gnuplot NAME.gp
#
# draws it from the CSV of this name again. Places of labels and margins are shares of
# the whole picture. 'every ::A::B' takes the lines A to B of the CSV behind its header.
set encoding utf8
set datafile separator comma
csv = 'box-sweep.csv'
set pointintervalbox 0.55
set border 3 linewidth 0.75 linecolor rgb '#303030'
set terminal cairolatex pdf size 3.4764in,2.5104in linewidth 2 header '\fontsize{8}{9.6}\selectfont'
mark_size = 0.5
set output 'box-sweep.tex'
set border 3
set tics nomirror out scale 0.5, 0.25
set xtics border nomirror
set ytics border nomirror
set grid xtics ytics linetype 1 linecolor rgb '#E4E4E4' linewidth 0.5
unset label
set lmargin at screen 0.1573
set rmargin at screen 0.9840
set tmargin at screen 0.9734
set bmargin at screen 0.2811
set label 'box side (pixels)' at screen 0.5706, 0.1660 center
set label 'speedup over best CPU' at screen 0.0240, 0.6272 center rotate by 90
set key at screen 0.5, 0.0155 center bottom vertical maxrows 2 Left reverse noenhanced samplen 2 spacing 1
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
plot 1.0 with lines linecolor rgb '#202020' linewidth 0.8 dashtype (6, 4) notitle, \
    csv every ::1::9 using 1:3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#0072B2' linewidth 1 notitle, \
    csv every ::10::18 using 1:3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#371794' linewidth 1 notitle, \
    csv every ::19::27 using 1:3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#6A003C' linewidth 1 notitle, \
    csv every ::28::36 using 1:3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#473B00' linewidth 1 notitle, \
    csv every ::1::9 using 1:2 with linespoints linecolor rgb '#0072B2' linewidth 1.5 dashtype solid pointtype 7 pointsize mark_size title 'cuda\_fast', \
    csv every ::10::18 using 1:2 with linespoints linecolor rgb '#371794' linewidth 1.5 dashtype solid pointtype 15 pointsize mark_size title 'cuda\_sat', \
    csv every ::19::27 using 1:2 with linespoints linecolor rgb '#6A003C' linewidth 1.5 dashtype solid pointtype 9 pointsize mark_size title 'cuda\_tiled', \
    csv every ::28::36 using 1:2 with linespoints linecolor rgb '#473B00' linewidth 1.5 dashtype solid pointtype 5 pointsize mark_size title 'cuda\_naive'
unset output
