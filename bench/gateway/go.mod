module moothall/bench/gateway

go 1.26.5

require moothall v0.0.0

replace moothall => ../..
