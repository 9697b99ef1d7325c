# Made by knee plot curves. To change the picture: change this, and run
#	gnuplot getppid1.gp
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

set label 1 'placement core; doubtful: drift, disturbed, solar_flare, rounds that failed' at graph 0.5, graph 1 center offset 0, 1 font ',11' textcolor rgb '#555555'
set title 'getppid1: getppid in a loop' offset 0, 1 font ',15'
set tmargin 4
set ylabel 'kops/s  (1 op: getppid())'
set xlabel 'tasks' offset 0, 0.9
set xrange [0:32.96]
set xtics (32, 16, 8, 4, 2)
scale = 1000
set yrange [0:13767.454491895/scale]
dodge = 0.064
set y2label 'idle, % of all CPUs'
set y2range [0:105]
set y2tics 0, 20, 100

# tasks, operations per second, its 95 % interval, idle %, doubtful
$processes << EOD
1 1000 950.317245764993 1049.68275423501 50 0
2 1850 1214.68976319127 2485.31023680873 50 1
8 6200 3658.75905276506 8741.24094723494 50 1
EOD

# not measured
$processes_failed << EOD
4 0
16 0
32 0
EOD

# tasks, operations per second, its 95 % interval, idle %, doubtful
$threads << EOD
1 910 885.158622882497 934.841377117503 50 1
EOD

# not measured
$threads_failed << EOD
2 0
EOD

$linear << EOD
1 1000
32 32000
EOD

set terminal svg size 900,560 dynamic background 'white' noenhanced font 'sans-serif,12'
set output 'getppid1.svg'
plot keyentry with linespoints ls 1 title 'processes', \
     keyentry with linespoints ls 2 title 'threads', \
     keyentry with lines ls 3 title 'linear', \
     keyentry with lines ls 6 title 'idle', \
     keyentry with points ls 5 title 'doubtful', \
     keyentry with points ls 4 title 'not measured', \
     $processes using 1:5 axes x1y2 with linespoints ls 41 notitle, \
     $threads using 1:5 axes x1y2 with linespoints ls 42 notitle, \
     $linear using 1:($2/scale) with lines ls 3 notitle, \
     $processes using ($1-dodge):($2/scale):($3/scale):($4/scale) with yerrorbars ls 1 pt 0 lw 1.2 notitle, \
     $processes using 1:($2/scale) with lines ls 1 notitle, \
     $processes using 1:($6 == 0 ? $2/scale : NaN) with points ls 1 notitle, \
     $processes using 1:($6 == 1 ? $2/scale : NaN) with points ls 21 notitle, \
     $processes using 1:($6 == 1 ? $2/scale : NaN) with points ls 11 notitle, \
     $processes_failed using 1:2 with points ls 31 notitle, \
     $threads using ($1+dodge):($2/scale):($3/scale):($4/scale) with yerrorbars ls 2 pt 0 lw 1.2 notitle, \
     $threads using 1:($2/scale) with lines ls 2 notitle, \
     $threads using 1:($6 == 1 ? $2/scale : NaN) with points ls 22 notitle, \
     $threads using 1:($6 == 1 ? $2/scale : NaN) with points ls 12 notitle, \
     $threads_failed using 1:2 with points ls 32 notitle

set terminal pngcairo size 1800,1120 fontscale 2 linewidth 2 pointscale 2 background 'white' noenhanced font 'sans-serif,12'
set output 'getppid1.png'
replot
set output
