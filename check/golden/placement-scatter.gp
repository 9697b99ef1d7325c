set xrange [-0.6:9.50]
set yrange [7.40:-0.6]
set object rectangle from 0.00,0.00 to 3.85,6.80 fs empty border lc rgb '#555555' lw 1.5 back
set object rectangle from 5.05,0.00 to 8.90,6.80 fs empty border lc rgb '#555555' lw 1.5 back
set object rectangle from 0.60,1.00 to 3.25,3.40 fc rgb '#eeeeee' fs solid noborder back
set object rectangle from 0.60,3.80 to 3.25,6.20 fc rgb '#eeeeee' fs solid noborder back
set object rectangle from 5.65,1.00 to 8.30,3.40 fc rgb '#eeeeee' fs solid noborder back
set object rectangle from 5.65,3.80 to 8.30,6.20 fc rgb '#eeeeee' fs solid noborder back
set label 'package 0: node 0' at 0.80,0.60 left font ',12' front
set label 'package 1: node 1' at 5.85,0.60 left font ',12' front
$tasks << EOD
1.30 1.70 0
1.30 2.70 8
2.55 1.70 4
2.55 2.70 12
1.30 4.50 2
1.30 5.50 10
2.55 4.50 6
2.55 5.50 14
6.35 1.70 1
6.35 2.70 9
7.60 1.70 5
7.60 2.70 13
6.35 4.50 3
6.35 5.50 11
7.60 4.50 7
7.60 5.50 15
EOD
$empty << EOD
EOD
set style fill solid
plot \
  $tasks using 1:2:(0.45):(0.45):3 with boxxyerror fc palette, \
  $tasks using 1:2:(sprintf('%d', $3)):($3 < 8.25 ? 0xffffff : 0x000000) with labels font ',12.0' textcolor rgb variable

set terminal pngcairo size 1800,1120 fontscale 2 linewidth 2 pointscale 2 background 'white' noenhanced font 'sans-serif,12'
set output 'placement-scatter.png'
replot
set output
