"use strict";

const byId = (id) => document.getElementById(id);
const shown = 200; // events kept on the page

function cell(row, text, kind) {
  const td = row.insertCell();
  td.textContent = text;
  if (kind) td.className = kind;
}

async function refresh() {
  try {
    const answer = await fetch("/health");
    const health = await answer.json();
    byId("status").textContent = `${health.status} · version ${health.version}`;
    byId("model").textContent = [health.model.provider, health.model.name].filter(Boolean).join("/") || health.model.status;
    byId("model").title = health.model.detail || "";
    const body = byId("services");
    body.replaceChildren();
    for (const name of Object.keys(health.services).sort()) {
      const s = health.services[name];
      const row = body.insertRow();
      cell(row, name);
      cell(row, s.status, s.status === "ok" ? "ok" : s.status === "down" ? "down" : "quiet");
      cell(row, s.where || "");
      cell(row, s.detail || "", "quiet");
    }
  } catch {
    byId("status").textContent = "the hall does not answer; start it with: moothall up";
  }
}

function show(event) {
  byId("none").hidden = true;
  const item = document.createElement("li");
  const when = document.createElement("time");
  when.dateTime = event.time;
  when.textContent = new Date(event.time).toLocaleTimeString();
  const subject = document.createElement("b");
  subject.textContent = event.subject;
  const text = document.createElement("code");
  text.textContent = `${event.sender} ${JSON.stringify(event.payload ?? {})}`;
  item.append(when, subject, text);
  const list = byId("events");
  list.prepend(item);
  while (list.children.length > shown) list.lastChild.remove();
  if (event.subject === "hall.state") refresh();
}

// One conversation a page; a reload begins a new one.
let session = "";

function element(name, kind, parent) {
  const e = document.createElement(name);
  e.className = kind;
  parent.append(e);
  return e;
}

// events splits a stream of server-sent events into [name, data].
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const field = (f) => part.split("\n").find((l) => l.startsWith(f))?.slice(f.length);
      yield [field("event: "), JSON.parse(field("data: ") ?? "null")];
    }
  }
}

// A tool call is a card: folded, its result inside, red when it failed.
function toolCard(turn, before, call) {
  const card = document.createElement("details");
  card.className = "tool";
  card.dataset.call = call.id;
  element("summary", "", card).textContent = `${call.name} ${JSON.stringify(call.arguments)}`;
  turn.insertBefore(card, before);
  before.textContent = "";
}

function toolResult(turn, result) {
  const card = [...turn.querySelectorAll(".tool")].find((c) => c.dataset.call === result.call_id);
  if (!card) return;
  if (result.status !== "ok") card.classList.add("bad");
  const score = result.injection_score ? ` · injection score ${result.injection_score.toFixed(2)}` : "";
  card.querySelector("summary").textContent += ` · ${result.status}, ${Math.round(result.took_ns / 1e6)} ms${score}`;
  element("pre", "", card).textContent = result.text;
}

// A question of the broker stands in the turn until it is answered.
function putQuestion(turn, before, asked) {
  const box = document.createElement("div");
  box.className = "asked";
  element("p", "", box).textContent = `May ${asked.agent_type} call ${asked.tool} with ${JSON.stringify(asked.arguments)}? ${asked.reason.reason}`;
  const answer = async (word) => {
    const reply = await fetch(`/approvals/${asked.id}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ answer: word }),
    });
    box.replaceChildren();
    box.textContent = reply.ok ? `${asked.tool}: ${word}` : (await reply.json()).error.message;
  };
  for (const [word, label] of [["once", "Allow once"], ["session", "Allow for this session"], ["deny", "Deny"]]) {
    const b = element("button", "", box);
    b.type = "button";
    b.textContent = label;
    b.addEventListener("click", () => answer(word));
  }
  turn.insertBefore(box, before);
}

async function ask(question) {
  const turn = element("div", "turn", byId("talk"));
  element("p", "q", turn).textContent = question;
  const details = element("details", "", turn);
  details.hidden = true;
  element("summary", "", details).textContent = "thinking";
  const thinking = element("span", "", details);
  const answer = element("p", "a", turn);
  const failed = (text) => { answer.classList.add("bad"); answer.textContent = text; };
  try {
    const reply = await fetch("/query", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify({ query: question, session_id: session || undefined }),
    });
    if (!reply.ok) return failed((await reply.json()).error.message);
    for await (const [kind, step] of events(reply.body)) {
      if (kind === "thinking") { details.hidden = false; thinking.textContent += step.text; }
      if (kind === "delta") answer.textContent += step.text;
      if (kind === "tool_call") toolCard(turn, answer, step.call);
      if (kind === "approval") putQuestion(turn, answer, step.asked);
      if (kind === "tool_result") toolResult(turn, step.result);
      if (kind === "error") failed(step.error.message + (step.error.remedy ? ` Try: ${step.error.remedy}` : ""));
      if (kind === "final") {
        session = step.answer.session_id;
        answer.textContent = step.answer.answer;
        const u = step.answer.usage, r = step.answer.receipt;
        element("p", "foot", turn).textContent =
          `${u.prompt_tokens} tokens read, ${u.output_tokens} written · record ${r.audit_first} to ${r.audit_last}`;
      }
    }
  } catch (e) {
    failed("The hall does not answer: " + e.message);
  }
}

byId("ask").addEventListener("submit", async (e) => {
  e.preventDefault();
  const box = byId("question"), button = e.target.querySelector("button"), question = box.value.trim();
  if (!question || button.disabled) return;
  box.value = "";
  button.disabled = true;
  await ask(question);
  button.disabled = false;
  box.focus();
});
byId("question").addEventListener("keydown", (e) => {
  if (e.key === "Enter" && !e.shiftKey && !e.isComposing) { e.preventDefault(); byId("ask").requestSubmit(); }
});

const source = new EventSource("/events");
source.onopen = () => { byId("live").textContent = "live"; refresh(); };
source.onerror = () => { byId("live").textContent = "reconnecting…"; };
source.onmessage = (m) => show(JSON.parse(m.data));

refresh();
setInterval(refresh, 10000);
