#!/usr/bin/env bash
# Trains, exports and evaluates the built-in model on a machine with one GPU, detached from
# whoever started it, and prints how it goes every 15 seconds.
#
#   bash train/run.sh check vocab.bin                              a minute without a GPU: is all ready?
#   bash train/run.sh start --seconds 1200 [options of train.py]   begins, then follows
#   bash train/run.sh follow     goes on following (after a connection or a time limit ended)
#   bash train/run.sh stop       ends training early; what is learnt so far is exported and scored
#   bash train/run.sh collect    copies what there is so far to $OUT
#
# FOLLOW   seconds to follow at most (540)
# WORK     where everything is kept (/tmp/moothall-train)
# OUT      where results are copied at the end of start, follow and collect (none)
# TURNS    held-out turns to score (3000)
# THINK    on, off or both: how they are asked (on)
# EVALUATE, EXPORT   more options of evaluate.py and of export.py reference
# PYTHON   the interpreter (python3)
set -u
WORK=${WORK:-/tmp/moothall-train}
PYTHON=${PYTHON:-python3}
HERE=$(cd "$(dirname "$0")" && pwd)
export PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 TOKENIZERS_PARALLELISM=true
export TORCHINDUCTOR_CACHE_DIR=$WORK/cache

begin() {
	if [ -e "$WORK/pipeline.pid" ] && kill -0 "$(cat "$WORK/pipeline.pid")" 2>/dev/null; then
		echo "a run is under way: use follow or stop" >&2
		exit 1
	fi
	rm -rf "$WORK/out" "$WORK/src" "$WORK/log.txt" "$WORK/done" "$WORK/shown"
	mkdir -p "$WORK/out" "$WORK/src"
	# A copy, so that nothing which happens to the checkout disturbs the run. The generator
	# reads the hall's prompts and its library from the sources.
	cp -r "$HERE" "$HERE/../internal" "$WORK/src/"
	setsid nohup bash "$WORK/src/$(basename "$HERE")/run.sh" pipeline "$@" >"$WORK/log.txt" 2>&1 </dev/null &
	echo $! >"$WORK/pipeline.pid"
}

# Everything after the start; the steps after training run even when training was stopped.
pipeline() {
	"$PYTHON" "$HERE/train.py" --out "$WORK/out" "$@" &
	echo $! >"$WORK/train.pid"
	wait $!
	echo "training ended with status $?"
	if [ -e "$WORK/out/model.bin" ]; then
		"$PYTHON" "$HERE/export.py" split --model "$WORK/out"
		"$PYTHON" "$HERE/evaluate.py" --model "$WORK/out" --out "$WORK/out" --turns "${TURNS:-3000}" --think "${THINK:-on}" ${EVALUATE:-}
		echo "evaluation ended with status $?"
		"$PYTHON" "$HERE/export.py" reference --model "$WORK/out" ${EXPORT:-}
		"$PYTHON" "$HERE/export.py" gguf --model "$WORK/out"
	fi
	echo "all done"
	touch "$WORK/done"
}

# Prints what the log has gained; the place is kept for the next call.
news() {
	[ -e "$WORK/log.txt" ] || return 0
	local from=0
	[ -e "$WORK/shown" ] && from=$(cat "$WORK/shown")
	local to
	to=$(wc -l <"$WORK/log.txt")
	[ "$to" -gt "$from" ] && sed -n "$((from + 1)),${to}p" "$WORK/log.txt"
	echo "$to" >"$WORK/shown"
}

follow() {
	local end=$((SECONDS + ${FOLLOW:-540}))
	while [ $SECONDS -lt $end ]; do
		news
		[ -e "$WORK/done" ] && break
		if ! kill -0 "$(cat "$WORK/pipeline.pid" 2>/dev/null)" 2>/dev/null; then
			echo "the run is no longer there"
			break
		fi
		for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
			[ -e "$WORK/done" ] && break
			sleep 1
		done
	done
	news
	[ -e "$WORK/done" ] || echo "still running: bash train/run.sh follow"
}

# At most eight files of at most 15 MiB; the log was shown, and report.json holds no more than report.txt.
collect() {
	[ -n "${OUT:-}" ] || return 0
	mkdir -p "$OUT"
	if [ -e "$WORK/out/model.bin" ]; then
		"$PYTHON" "$HERE/export.py" split --model "$WORK/out" >/dev/null
	fi
	for f in "$WORK"/out/model.bin.? "$WORK"/out/{vocab.bin,reference.json,report.txt,failures.jsonl}; do
		[ -e "$f" ] && cp "$f" "$OUT/"
	done
	ls -l "$OUT"
}

# What can be known before the GPU is: prompts, vocabulary, generator, speed of a worker.
check() {
	"$PYTHON" "$HERE/render.py" --check &&
		"$PYTHON" "$HERE/tok.py" --check "$1" &&
		"$PYTHON" "$HERE/evaluate.py" --gold "$1" --turns 1500 --out "$WORK/check" &&
		"$PYTHON" "$HERE/pack.py" --vocab "$1" --seconds 15
}

case ${1:-} in
check)
	check "${2:?which vocab.bin?}"
	;;
start)
	shift
	begin "$@"
	follow
	collect
	;;
follow)
	follow
	collect
	;;
stop)
	kill -TERM "$(cat "$WORK/train.pid")" && echo "told to stop"
	follow
	collect
	;;
collect) collect ;;
pipeline)
	shift
	pipeline "$@"
	;;
*)
	sed -n '2,/^set/p' "$0" | sed 's/^# \{0,1\}//;/^set/d'
	exit 2
	;;
esac
