# A chart of bench. Run in this folder, with gnuplot 5.4 or later:
#
#   gnuplot -d NAME.gp
#
# draws it from the CSV of this name again. Places of labels and margins are shares of
# the whole picture. 'every ::A::B' takes the lines A to B of the CSV behind its header.
set encoding utf8
set datafile separator comma
csv = 'machines.csv'
set pointintervalbox 0.55
set border 3 linewidth 0.75 linecolor rgb '#303030'
set terminal pdfcairo size 3.3346in,2.7098in noenhanced font 'Arial,8' fontscale 0.75 linewidth 1
mark_size = 0.5
set output 'machines.pdf'
set border 3
set tics nomirror out scale 0.5, 0.25
set xtics border nomirror
set ytics border nomirror
set grid xtics ytics linetype 1 linecolor rgb '#E4E4E4' linewidth 0.5
unset label
unset arrow
unset key
set lmargin at screen 0.1726
set rmargin at screen 0.9833
set tmargin at screen 0.9754
set bmargin at screen 0.3601
set label 'image size' at screen 0.5780, 0.2030 center front
set label 'time (µs)' at screen 0.0250, 0.6677 center rotate by 90 front
set logscale x 10
set xrange [132473.58499773243:173108904.0912763]
set xtics rotate by 45 right ('360p' 172800.0, '480p' 307200.0, '720p' 921600.0, '1080p' 2073600.0, \
    '4K' 8294400.0, '8K' 33177600.0, '16K' 132710400.0)
set logscale y 10
set yrange [2.8034587674269424:8184.020467644618]
set ytics ('' 3.0 1, '' 4.0 1, '' 5.0 1, '' 6.0 1, \
    '' 7.0 1, '' 8.0 1, '' 9.0 1, '10' 10.0, \
    '' 20.0 1, '' 30.0 1, '' 40.0 1, '' 50.0 1, \
    '' 60.0 1, '' 70.0 1, '' 80.0 1, '' 90.0 1, \
    '100' 100.0, '' 200.0 1, '' 300.0 1, '' 400.0 1, \
    '' 500.0 1, '' 600.0 1, '' 700.0 1, '' 800.0 1, \
    '' 900.0 1, '1000' 1000.0, '' 2000.0 1, '' 3000.0 1, \
    '' 4000.0 1, '' 5000.0 1, '' 6000.0 1, '' 7000.0 1, \
    '' 8000.0 1)
unset object
within(y) = y < 2.8034587674269424 ? 2.8034587674269424 : y > 8184.020467644618 ? 8184.020467644618 : y
set arrow from screen 0.1370, 0.1374 to screen 0.1653, 0.1374 nohead linecolor rgb '#8C959D' linewidth 1.5 dashtype solid front
set arrow from screen 0.1886, 0.1374 to screen 0.2169, 0.1374 nohead linecolor rgb '#8C959D' linewidth 1.5 dashtype solid front
set label ' ' at screen 0.1770, 0.1374 point pointtype 6 pointsize mark_size linecolor rgb '#8C959D' linewidth 1.5 front
set label 'best CPU, H100' at screen 0.2369, 0.1374 left front
set arrow from screen 0.1370, 0.0882 to screen 0.1770, 0.0882 nohead linecolor rgb '#0072B2' linewidth 1.5 dashtype solid front
set arrow from screen 0.1770, 0.0882 to screen 0.2169, 0.0882 nohead linecolor rgb '#0072B2' linewidth 1.5 dashtype solid front
set label ' ' at screen 0.1770, 0.0882 point pointtype 7 pointsize mark_size linecolor rgb '#0072B2' linewidth 1.5 front
set label 'H100' at screen 0.2369, 0.0882 left front
set arrow from screen 0.1370, 0.0390 to screen 0.1653, 0.0390 nohead linecolor rgb '#8C959D' linewidth 1.5 dashtype (2, 3) front
set arrow from screen 0.1886, 0.0390 to screen 0.2169, 0.0390 nohead linecolor rgb '#8C959D' linewidth 1.5 dashtype (2, 3) front
set label ' ' at screen 0.1770, 0.0390 point pointtype 4 pointsize mark_size linecolor rgb '#8C959D' linewidth 1.5 front
set label 'best CPU, H200' at screen 0.2369, 0.0390 left front
set arrow from screen 0.5508, 0.1374 to screen 0.5908, 0.1374 nohead linecolor rgb '#7A1F00' linewidth 1.5 dashtype solid front
set arrow from screen 0.5908, 0.1374 to screen 0.6308, 0.1374 nohead linecolor rgb '#7A1F00' linewidth 1.5 dashtype solid front
set label ' ' at screen 0.5908, 0.1374 point pointtype 5 pointsize mark_size linecolor rgb '#7A1F00' linewidth 1.5 front
set label 'H200' at screen 0.6508, 0.1374 left front
set arrow from screen 0.5508, 0.0882 to screen 0.5791, 0.0882 nohead linecolor rgb '#202020' linewidth 1.5 dashtype (7, 4) front
set arrow from screen 0.6025, 0.0882 to screen 0.6308, 0.0882 nohead linecolor rgb '#202020' linewidth 1.5 dashtype (7, 4) front
set label ' ' at screen 0.5908, 0.0882 point pointtype 6 pointsize mark_size linecolor rgb '#202020' linewidth 1.5 front
set label 'with copies' at screen 0.6508, 0.0882 left front
plot NaN notitle, \
    csv every ::1::7 using 1:(within($3)):(0):(within($4) - within($3)) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#8C959D' linewidth 1 notitle, \
    csv every ::8::14 using 1:(within($3)):(0):(within($4) - within($3)) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#0072B2' linewidth 1 notitle, \
    csv every ::15::21 using 1:(within($3)):(0):(within($4) - within($3)) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#0072B2' linewidth 1 notitle, \
    csv every ::22::25 using 1:(within($3)):(0):(within($4) - within($3)) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#8C959D' linewidth 1 notitle, \
    csv every ::26::29 using 1:(within($3)):(0):(within($4) - within($3)) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#7A1F00' linewidth 1 notitle, \
    csv every ::30::33 using 1:(within($3)):(0):(within($4) - within($3)) with vectors heads nofilled size graph 0.012, 90 linecolor rgb '#7A1F00' linewidth 1 notitle, \
    csv every ::1::7 using 1:2 with linespoints linecolor rgb '#8C959D' linewidth 1.5 dashtype solid pointtype 6 pointsize mark_size pointinterval -1 notitle, \
    csv every ::8::14 using 1:2 with linespoints linecolor rgb '#0072B2' linewidth 1.5 dashtype solid pointtype 7 pointsize mark_size notitle, \
    csv every ::15::21 using 1:2 with linespoints linecolor rgb '#0072B2' linewidth 1.5 dashtype (7, 4) pointtype 6 pointsize mark_size pointinterval -1 notitle, \
    csv every ::22::25 using 1:2 with linespoints linecolor rgb '#8C959D' linewidth 1.5 dashtype (2, 3) pointtype 4 pointsize mark_size pointinterval -1 notitle, \
    csv every ::26::29 using 1:2 with linespoints linecolor rgb '#7A1F00' linewidth 1.5 dashtype solid pointtype 5 pointsize mark_size notitle, \
    csv every ::30::33 using 1:2 with linespoints linecolor rgb '#7A1F00' linewidth 1.5 dashtype (7, 4) pointtype 4 pointsize mark_size pointinterval -1 notitle
unset output
