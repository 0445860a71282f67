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
    byId("status").textContent = `${health.status} · version ${health.version} · model: ${
      health.model.name || health.model.status}`;
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

const source = new EventSource("/events");
source.onopen = () => { byId("live").textContent = "live"; refresh(); };
source.onerror = () => { byId("live").textContent = "reconnecting…"; };
source.onmessage = (m) => show(JSON.parse(m.data));

refresh();
setInterval(refresh, 10000);
