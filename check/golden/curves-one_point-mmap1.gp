# Made by knee plot curves. To change the picture: change this, and run
#	gnuplot mmap1.gp
reset session
set encoding utf8
set style line 1 lc rgb '#0072B2' lw 2 dt 1 pt 7 ps 0.9
set style line 2 lc rgb '#D55E00' lw 2 dt 1 pt 5 ps 0.7
set style line 3 lc rgb '#777777' lw 1.5 dt 2 pt 0
set style line 4 lc rgb '#000000' lw 1.5 pt 2 ps 1
set style line 5 lc rgb '#000000' lw 1.5 pt 6 ps 0.8
set style line 6 lc rgb '#777777' lw 1.2 dt 3 pt 7 ps 0.3
set style line 11 lc rgb '#0072B2' lw 1.5 pt 6 ps 0.9
set style line 12 lc rgb '#D55E00' lw 1.5 pt 4 ps 0.7
set style line 21 lc rgb '#ffffff' lw 1.5 pt 7 ps 0.9
set style line 22 lc rgb '#ffffff' lw 1.5 pt 5 ps 0.7
set style line 31 lc rgb '#0072B2' lw 1.5 pt 2 ps 1
set style line 32 lc rgb '#D55E00' lw 1.5 pt 2 ps 1
set style line 41 lc rgb '#0072B2' lw 1.2 dt 3 pt 7 ps 0.3
set style line 42 lc rgb '#D55E00' lw 1.2 dt 3 pt 7 ps 0.3
set border 11 lc rgb '#555555'
set grid ytics lt 1 lc rgb '#e0e0e0' lw 0.8
set tics nomirror scale 0.6 textcolor rgb '#000000'
set xtics offset 0, 0.3
set errorbars 0.6
set pointintervalbox 0
set clip two
set bmargin 5
set key outside bottom center horizontal Left reverse samplen 2 font ',11'
set datafile missing '?'

set label 1 'placement core' at graph 0.5, graph 1 center offset 0, 1 font ',11' textcolor rgb '#555555'
set title 'mmap1: Anonymous memory mmap/munmap of 128MB' offset 0, 1 font ',15'
set tmargin 4
set ylabel 'kops/s  (1 op: mmap + munmap of 128 MiB)'
set xlabel 'tasks' offset 0, 0.9
set xrange [0:2]
set xtics (1)
scale = 1000
set yrange [0:129628.8/scale]
set y2label 'idle, % of all CPUs'
set y2range [0:105]
set y2tics 0, 20, 100

# tasks, operations per second, its 95 % interval, idle %, doubtful
$processes << EOD
1 123456 ? ? 50 0
EOD

set terminal svg size 900,560 dynamic background 'white' noenhanced font 'sans-serif,12'
set output 'mmap1.svg'
plot keyentry with linespoints ls 1 title 'processes', \
     keyentry with lines ls 6 title 'idle', \
     $processes using 1:5 axes x1y2 with linespoints ls 41 notitle, \
     $processes using 1:($2/scale) with lines ls 1 notitle, \
     $processes using 1:($6 == 0 ? $2/scale : NaN) with points ls 1 notitle

set terminal pngcairo size 1800,1120 fontscale 2 linewidth 2 pointscale 2 background 'white' noenhanced font 'sans-serif,12'
set output 'mmap1.png'
replot
set output
