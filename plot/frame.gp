# Lines and marks around a plot.
set border 3 linewidth 0.75 linecolor rgb "#303030"
set tics nomirror out scale 0.6, 0.3
set xtics border nomirror
set ytics border nomirror
set grid xtics ytics linetype 1 linecolor rgb "#E4E4E4" linewidth 0.5
