module moothall/bench/locomo

go 1.26.5

require moothall v0.0.0

require golang.org/x/text v0.43.0 // indirect

replace moothall => ../..
