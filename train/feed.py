"""Batches for training: worker processes make rows, a thread puts them together ahead of need."""

import multiprocessing
import queue
import threading

import pack


class Feed:
    """Worker processes, and a thread that puts batches together ahead of need."""

    def __init__(self, a, vocab):
        ctx = multiprocessing.get_context("spawn")
        self.queue, self.stop = ctx.Queue(64), ctx.Event()
        self.parcels = max(1, a.batch // pack.ROWS)
        self.rows, self.counts, self.ready = a.batch, {}, queue.Queue(4)
        self.procs = [ctx.Process(target=pack.worker, daemon=True, args=(
            i, a.seed, vocab, self.queue, self.stop, a.window, a.gen)) for i in range(a.workers)]
        for p in self.procs:
            p.start()
        self.pin = a.device == "cuda"

    def begin(self):
        """Starts the thread; torch must be imported by then, since two threads must not do that at once."""
        threading.Thread(target=self.collect, daemon=True).start()

    def collect(self):
        import numpy as np
        import torch
        while not self.stop.is_set():
            parts = []
            while len(parts) < self.parcels and not self.stop.is_set():
                try:
                    parcel, count, number = self.queue.get(timeout=1)
                except queue.Empty:
                    continue
                parts.append(parcel)
                self.counts[number] = count
            if len(parts) < self.parcels:
                return
            batch = torch.from_numpy(np.concatenate(parts, 1)[:, :self.rows].astype(np.int32))
            batch = batch.pin_memory() if self.pin else batch
            while not self.stop.is_set():
                try:
                    self.ready.put(batch, timeout=1)
                    break
                except queue.Full:
                    continue

    def batch(self):
        while True:
            try:
                return self.ready.get(timeout=30)
            except queue.Empty:
                if not any(p.is_alive() for p in self.procs):
                    raise RuntimeError("every worker process has ended")

    def totals(self):
        out = {}
        for c in list(self.counts.values()):
            for k, v in c.items():
                out[k] = out.get(k, 0) + v
        return out

    def close(self):
        self.stop.set()
        for p in self.procs:
            p.join(timeout=3)
            if p.is_alive():
                p.terminate()
