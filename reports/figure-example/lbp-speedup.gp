# A chart of bench. Run in this folder, with gnuplot 5.4 or later:
#
#   gnuplot NAME.gp
#
# draws it from the CSV of this name again. Places of labels and margins are shares of
# the whole picture. 'every ::A::B' takes the lines A to B of the CSV behind its header.
set encoding utf8
set datafile separator comma
csv = 'lbp-speedup.csv'
set pointintervalbox 0.55
set border 3 linewidth 0.75 linecolor rgb '#303030'
set terminal pdfcairo size 3.4764in,3.0437in noenhanced font 'Arial,8' fontscale 0.75 linewidth 1
mark_size = 0.5
set output 'lbp-speedup.pdf'
set border 3
set tics nomirror out scale 0.5, 0.25
set xtics border nomirror
set ytics border nomirror
set grid xtics ytics linetype 1 linecolor rgb '#E4E4E4' linewidth 0.5
unset label
set lmargin at screen 0.1374
set rmargin at screen 0.9840
set tmargin at screen 0.9781
set bmargin at screen 0.4070
set label 'image size' at screen 0.5607, 0.3121 center
set label 'speedup over best CPU' at screen 0.0240, 0.6926 center rotate by 90
set key at screen 0.5, 0.0128 center bottom vertical maxrows 6 Left reverse noenhanced samplen 2 spacing 1
set logscale x 10
set xrange [132473.58499773243:173108904.0912763]
set xtics norotate ('360p' 172800.0, '' 307200.0, '720p' 921600.0, '' 2073600.0, \
    '4K' 8294400.0, '8K' 33177600.0, '16K' 132710400.0)
set logscale y 10
set yrange [0.08368983970022205:56.15582906066573]
set ytics ('' 0.09 1, '0.1' 0.1, '' 0.2 1, '' 0.3 1, \
    '' 0.4 1, '' 0.5 1, '' 0.6 1, '' 0.7 1, \
    '' 0.8 1, '' 0.9 1, '1' 1.0, '' 2.0 1, \
    '' 3.0 1, '' 4.0 1, '' 5.0 1, '' 6.0 1, \
    '' 7.0 1, '' 8.0 1, '' 9.0 1, '10' 10.0, \
    '' 20.0 1, '' 30.0 1, '' 40.0 1, '' 50.0 1)
unset object
plot 1.0 with lines linecolor rgb '#202020' linewidth 0.8 dashtype (6, 4) notitle, \
    csv every ::1::7 using 1:3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#0072B2' linewidth 1 notitle, \
    csv every ::8::14 using 1:3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#0072B2' linewidth 1 notitle, \
    csv every ::15::21 using 1:3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#984F00' linewidth 1 notitle, \
    csv every ::22::28 using 1:3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#984F00' linewidth 1 notitle, \
    csv every ::29::35 using 1:3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#473B00' linewidth 1 notitle, \
    csv every ::36::42 using 1:3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#473B00' linewidth 1 notitle, \
    csv every ::1::7 using 1:2 with linespoints linecolor rgb '#0072B2' linewidth 1.5 dashtype solid pointtype 7 pointsize mark_size title 'Ours', \
    csv every ::8::14 using 1:2 with linespoints linecolor rgb '#0072B2' linewidth 1.5 dashtype (7, 4) pointtype 6 pointsize mark_size pointinterval -1 title 'Ours, end to end', \
    csv every ::15::21 using 1:2 with linespoints linecolor rgb '#984F00' linewidth 1.5 dashtype solid pointtype 11 pointsize mark_size title 'cuda_streamed', \
    csv every ::22::28 using 1:2 with linespoints linecolor rgb '#984F00' linewidth 1.5 dashtype (7, 4) pointtype 10 pointsize mark_size pointinterval -1 title 'cuda_streamed, end to end', \
    csv every ::29::35 using 1:2 with linespoints linecolor rgb '#473B00' linewidth 1.5 dashtype solid pointtype 5 pointsize mark_size title 'cuda_naive', \
    csv every ::36::42 using 1:2 with linespoints linecolor rgb '#473B00' linewidth 1.5 dashtype (7, 4) pointtype 4 pointsize mark_size pointinterval -1 title 'cuda_naive, end to end'
unset output
