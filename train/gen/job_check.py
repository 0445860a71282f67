"""Looks at many jobs: python3 -m gen.job_check, in train/. It ends with an error at the first that is not in order."""
import collections
import json
import random
import sys
import time

from . import job
from .job_chance import J


def check(s):
    """One sample is as the trainer and the evaluation expect it."""
    assert s["messages"][0]["role"] == "system" and s["messages"][-1].get("train")
    specs = {t["name"]: t["parameters"] for t in s["tools"]}
    for m in s["messages"]:
        assert isinstance(m["content"], str)
        if m["role"] != "assistant" or not m["train"]:
            continue
        c = m["check"]
        assert c["group"] and c["type"], m
        assert bool(m.get("off")) != bool(m["think"]), m
        for k in m["calls"]:
            p = specs[k["name"]]
            need = p.get("required", [])
            order = need + sorted(x for x in p.get("properties", {}) if x not in need)
            assert [x for x in order if x in k["arguments"]] == list(k["arguments"]), k
            assert all(x in k["arguments"] for x in need), k
        if s["schema"] or c["type"] == "json":
            assert json.dumps(json.loads(m["content"]), ensure_ascii=False) == m["content"], m
        assert all(w in m["content"] for w in c.get("all") or []), m
        plan = '"subtasks"' in m["content"]
        if plan:
            valid_plan(json.loads(m["content"]), s)
        assert plan or "{" not in m["think"], m


def valid_plan(v, s):
    """The rules of internal/orchestrator/plan: names, types, needs."""
    ids = [t["id"] for t in v["subtasks"]]
    assert len(set(ids)) == len(ids) and all(0 < len(i) <= 40 and all(c.isalnum() or c in "-_" for c in i) and i.isascii()
                                             for i in ids), ids
    types = s["schema"]["properties"]["subtasks"]["items"]["properties"]["agent_type"]["enum"]
    known = s["messages"][1]["content"]
    for t in v["subtasks"]:
        assert t["agent_type"] in types and t["task"], t
        assert all(d != t["id"] and (d in ids or '"id":"%s"' % d in known) for d in t["depends_on"]), t
    assert v["subtasks"] or v["direct"]


def main(count=12000):
    kinds, longest = collections.Counter(), 0
    for held in (False, True):
        for seed in range(count):
            s = job.jobs(J(random.Random(seed), held=held))
            try:
                check(s)
            except Exception:
                print(json.dumps(s, ensure_ascii=False, indent=1)[:6000], file=sys.stderr)
                raise
            kinds[s["kind"]] += 1
            longest = max(longest, sum(len(m["content"]) for m in s["messages"]))
    for k, n in kinds.most_common():
        print("%7d  %s" % (n, k))
    began, size, n = time.time(), 0, 0
    while time.time() - began < 3:
        s = job.jobs(J(random.Random(n)))
        size += sum(len(m["content"]) for m in s["messages"])
        n += 1
    print("longest %d characters; %d samples and %d KB a second" % (longest, n / 3, size / 3000))


if __name__ == "__main__":
    main()
