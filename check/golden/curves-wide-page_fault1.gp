# Made by knee plot curves. To change the picture: change this, and run
#	gnuplot page_fault1.gp
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

set label 1 'placement core; doubtful: disturbed' at graph 0.5, graph 1 center offset 0, 1 font ',11' textcolor rgb '#555555'
set title 'page_fault1: Anonymous memory page fault' offset 0, 1 font ',15'
set tmargin 4
set ylabel 'Mops/s  (1 op: fault of one page)'
set xlabel 'tasks' offset 0, 0.9
set xrange [0:395.52]
set xtics (384, 320, 256, 192, 128, 96, 64, 48, 32, 16)
scale = 1000000
set yrange [0:403200000/scale]
dodge = 0.768
set y2label 'idle, % of all CPUs'
set y2range [0:105]
set y2tics 0, 20, 100

# tasks, operations per second, its 95 % interval, idle %, doubtful
$processes << EOD
1 1000000 950317.245764993 1049682.75423501 99.7 0
2 1999000 1899684.17428422 2098315.82571578 99.5 0
4 3994009 3795576.07958538 4192441.92041462 99 0
8 7972098 7576024.59910082 8368171.40089918 97.9 0
12 11934361 11341429.6219954 12527292.3780046 96.9 0
16 15880893 15091888.632407 16669897.367593 95.8 0
24 23727138 22548310.3219906 24905965.6780094 93.8 0
32 31511571 29945990.4057859 33077151.5942141 91.7 0
48 46897899 44567884.6442998 49227913.3557002 87.5 0
64 62045565 58962971.1879742 65128158.8120258 83.3 0
96 91646778 87093515.0433129 96200040.9566871 75 0
128 120357311 114377628.843711 126336993.156289 66.7 0
192 175262437 166554918.254163 183969955.745837 50 0
256 227050998 215770481.452325 238331514.547675 33.3 0
320 275981026 262269529.803469 289692522.196531 16.7 0
384 322282837 306270939.85343 338294734.14657 0 0
EOD

# tasks, operations per second, its 95 % interval, idle %, doubtful
$threads << EOD
1 1000000 950317.245764993 1049682.75423501 99.7 0
2 1904399 1809785.64697257 1999012.35302743 99.5 0
4 3474635 3302007.30213505 3647262.69786495 99 0
8 5901446 5608248.19415753 6194643.80584247 97.9 0
12 7676561 7295168.85297726 8057953.14702274 96.9 0
16 9019166 8571069.78714134 9467262.21285866 95.8 0
24 10883367 10342652.1966964 11424081.8033036 93.8 0
32 12079118 11478995.0433199 12679240.9566801 91.7 0
48 13424320 12757363.802323 14091276.197677 87.5 0
64 14056048 13357707.2064727 14754388.7935273 83.3 0
96 14410087 13694156.0273358 15126017.9726642 75 1
128 14260885 13552366.6942677 14969403.3057323 66.7 1
192 13504769 12833815.8247448 14175722.1752552 50 0
256 12624519 11997299.0691602 13251738.9308398 33.3 0
320 11782900 11197493.0751243 12368306.9248757 16.7 0
384 11016375 10469052.3903832 11563697.6096168 0 0
EOD

$linear << EOD
1 1000000
384 384000000
EOD

set terminal svg size 900,560 dynamic background 'white' noenhanced font 'sans-serif,12'
set output 'page_fault1.svg'
plot keyentry with linespoints ls 1 title 'processes', \
     keyentry with linespoints ls 2 title 'threads', \
     keyentry with lines ls 3 title 'linear', \
     keyentry with lines ls 6 title 'idle', \
     keyentry with points ls 5 title 'doubtful', \
     $processes using 1:5 axes x1y2 with linespoints ls 41 notitle, \
     $threads using 1:5 axes x1y2 with linespoints ls 42 notitle, \
     $linear using 1:($2/scale) with lines ls 3 notitle, \
     $processes using ($1-dodge):($2/scale):($3/scale):($4/scale) with yerrorbars ls 1 pt 0 lw 1.2 notitle, \
     $processes using 1:($2/scale) with lines ls 1 notitle, \
     $processes using 1:($6 == 0 ? $2/scale : NaN) with points ls 1 notitle, \
     $threads using ($1+dodge):($2/scale):($3/scale):($4/scale) with yerrorbars ls 2 pt 0 lw 1.2 notitle, \
     $threads using 1:($2/scale) with lines ls 2 notitle, \
     $threads using 1:($6 == 0 ? $2/scale : NaN) with points ls 2 notitle, \
     $threads using 1:($6 == 1 ? $2/scale : NaN) with points ls 22 notitle, \
     $threads using 1:($6 == 1 ? $2/scale : NaN) with points ls 12 notitle

set terminal pngcairo size 1800,1120 fontscale 2 linewidth 2 pointscale 2 background 'white' noenhanced font 'sans-serif,12'
set output 'page_fault1.png'
replot
set output
