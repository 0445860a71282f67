module moothall/bench

go 1.26.5
