import { shown, type Answer, type Approval, type Deliberation, type HallEvent } from "../api/types";

/** One bar of a turn's waterfall, in milliseconds from the question. */
export interface Bar {
  id: string;
  lane: "turn" | "model" | "tool" | "wait" | "voice" | "observer" | "agent";
  name: string;
  from: number;
  to: number;
  open: boolean; // still going on
  bad: boolean;
  events: HallEvent[];
}

const observers: Record<string, string> = {
  "memory.engram": "memory keeps the turn",
  "critique.result": "critic grades",
  "pairwise.result": "critic compares",
  "reward.event": "reward",
  "user.feedback": "feedback",
};

/** Reads the bars of one turn out of its events. */
export function waterfall(events: HallEvent[], now: number): Bar[] {
  const first = events.find((e) => e.subject === "query.received") ?? events[0];
  if (!first) return [];
  const zero = Date.parse(first.time);
  const at = (e: HallEvent) => Math.max(0, Date.parse(e.time) - zero);
  const answer = events.find((e) => e.subject === "response.generation" && shown(e));
  const end = answer ? at(answer) : undefined;
  const bars: Bar[] = [];
  const add = (b: Omit<Bar, "id" | "open"> & { open?: boolean }) => bars.push({ id: `${b.lane}-${bars.length}`, open: false, ...b });
  const stop = (answer?.payload as Answer | undefined)?.stop_reason;
  add({ lane: "turn", name: "turn", from: 0, to: end ?? now - zero, open: !answer, bad: stop === "error" || stop === "interrupted", events: answer ? [first, answer] : [first] });
  pairs(events, add, at, now - zero);
  rounds(events.filter(shown), add, at, end ?? now - zero, !answer);
  voices(events, add, at, now - zero);
  for (const e of events) {
    const name = observers[e.subject];
    if (name) add({ lane: "observer", name, from: Math.min(end ?? at(e), at(e)), to: at(e), bad: false, events: [e] });
    if (e.subject === "response.generation" && !shown(e)) add({ lane: "observer", name: "respondent B", from: 0, to: at(e), bad: false, events: [e] });
  }
  return bars.sort((a, b) => Number(b.lane === "turn") - Number(a.lane === "turn") || a.from - b.from);
}

type Add = (b: Omit<Bar, "id" | "open"> & { open?: boolean }) => void;
type At = (e: HallEvent) => number;

/** Calls, questions to the person and agents: a beginning and its end. */
function pairs(events: HallEvent[], add: Add, at: At, now: number): void {
  const key = (e: HallEvent) => (e.payload as { call?: string; id?: string; agent?: string } | undefined) ?? {};
  for (const e of events) {
    const p = key(e);
    if (e.subject.startsWith("tool.request.")) {
      const done = events.find((x) => x.subject.startsWith("tool.result.") && key(x).call === p.call);
      const status = (done?.payload as { status?: string } | undefined)?.status;
      add({ lane: shown(e) ? "tool" : "observer", name: `${shown(e) ? "" : `${e.respondent_id}: `}${e.subject.slice(13)}`, from: at(e), to: done ? at(done) : now, open: !done, bad: !!done && status !== "ok", events: done ? [e, done] : [e] });
    } else if (e.subject === "approval.requested") {
      const done = events.find((x) => x.subject === "approval.decided" && key(x).id === p.id);
      add({ lane: "wait", name: `your yes: ${(e.payload as Approval).tool}`, from: at(e), to: done ? at(done) : now, open: !done, bad: false, events: done ? [e, done] : [e] });
    } else if (e.subject === "agent.spawned" && (e.agent_lineage?.length ?? 0) > 1) {
      const done = events.find((x) => x.subject === "agent.finished" && key(x).agent === p.agent);
      add({ lane: "agent", name: `agent ${(e.payload as { agent_type?: string }).agent_type ?? ""}`, from: at(e), to: done ? at(done) : now, open: !done, bad: false, events: done ? [e, done] : [e] });
    }
  }
}

/** Between calls the model speaks: those are the rounds. */
function rounds(events: HallEvent[], add: Add, at: At, end: number, open: boolean): void {
  let begin = 0;
  let round = 1;
  let running = 0;
  const inside: HallEvent[] = [];
  for (const e of events) {
    if (at(e) > end) break;
    if (e.subject.startsWith("tool.request.")) {
      if (running++ === 0) add({ lane: "model", name: `round ${round++}: model`, from: begin, to: at(e), bad: false, events: inside.splice(0) });
    } else if (e.subject.startsWith("tool.result.")) {
      running = Math.max(0, running - 1);
      begin = at(e);
    } else if (e.subject === "session.state" || e.subject === "response.generation") inside.push(e);
  }
  if (running === 0) add({ lane: "model", name: `round ${round}: model`, from: begin, to: end, open, bad: false, events: inside });
}

function voices(events: HallEvent[], add: Add, at: At, now: number): void {
  for (const e of events) {
    if (e.subject !== "committee.deliberation") continue;
    const d = e.payload as Deliberation;
    if (d.status !== "thinking") continue;
    const done = events.find((x) => {
      const y = x.payload as Deliberation | undefined;
      return x.subject === e.subject && y?.persona === d.persona && y.round === d.round && y.status !== "thinking";
    });
    add({ lane: "voice", name: `${d.persona}, round ${d.round}`, from: at(e), to: done ? at(done) : now, open: !done, bad: (done?.payload as Deliberation | undefined)?.status === "failed", events: done ? [e, done] : [e] });
  }
}

/** For a turn whose events are gone: what its answer noted. */
export function marks(a: Answer): { subject: string; ms: number }[] {
  return a.event_log.map((m) => ({ subject: m.subject, ms: m.t * 1000 }));
}
