// Short names for what the hall's own document describes.
import type { components } from "./schema";

type S = components["schemas"];

export type Answer = S["Answer"];
export type Approval = S["Approval"];
export type ApprovalAnswer = S["ApprovalAnswer"];
export type Calibration = S["Calibration"];
export type CalledTool = S["CalledTool"];
export type CallStatus = S["CallStatus"];
export type Candidate = S["Candidate"];
export type CriticPage = S["CriticPage"];
export type Critique = S["Critique"];
export type Decision = S["Decision"];
export type Deliberation = S["Deliberation"];
export type Feedback = S["Feedback"];
export type Finding = S["Finding"];
export type GraphFact = S["GraphFact"];
export type HallEvent = S["Event"];
export type Health = S["Health"];
export type Judgement = S["Judgement"];
export type Keyring = S["Keyring"];
export type MemoryDetail = S["MemoryDetail"];
export type MemoryEntry = S["MemoryEntry"];
export type MemoryImported = S["MemoryImported"];
export type Message = S["Message"];
export type ModelBinding = S["ModelBinding"];
export type ModelCard = S["ModelCard"];
export type ModelList = S["ModelList"];
export type ModelRole = S["ModelRole"];
export type ModelScore = S["ModelScore"];
export type Overrides = S["Overrides"];
export type Pairing = S["Pairing"];
export type Participant = S["Participant"];
export type Preview = S["Preview"];
export type Problem = S["Problem"];
export type Progress = S["Progress"];
export type QueryMode = S["QueryMode"];
export type QueryRequest = S["QueryRequest"];
export type Recall = S["Recall"];
export type Recalls = S["Recalls"];
export type Receipt = S["Receipt"];
export type Replayed = S["Replayed"];
export type Report = S["Report"];
export type Rewarded = S["Rewarded"];
export type SearchEngine = S["SearchEngine"];
export type ServiceHealth = S["ServiceHealth"];
export type Session = S["Session"];
export type SessionDetail = S["SessionDetail"];
export type Step = Omit<S["Step"], "kind"> & { kind: string };
export type Task = S["Task"];
export type ToolResult = S["ToolResult"];
export type ToolSpec = S["ToolSpec"];
export type Turn = S["Turn"];

/** Payloads of events that the document leaves open. */
export interface Compaction {
  how: "notes" | "prompt";
  text: string;
  messages?: number;
  before?: number;
  after?: number;
}

export interface ToolRequested {
  call: string;
  tool: string;
  arguments?: unknown;
  arguments_bytes?: number;
  agent: string;
  agent_type: string;
  decision: Decision;
}

export interface ToolReturned {
  call: string;
  tool: string;
  agent: string;
  status: CallStatus;
  ms: number;
  score?: number;
  labels: string;
  cut?: string;
  text?: string;
  decision: Decision;
}

/** What was used of what there is; a budget of 0 is none. */
export interface Used {
  used: number;
  budget: number;
}

/** How full a context was when it was fullest. */
export interface Gauge {
  tokens: number;
  window: number;
  share: number;
  compacted?: number;
}

/** One subtask of a plan, with how far it got. */
export interface Subtask {
  id: string;
  agent_type: string;
  task: string;
  depends_on: string[];
  inputs?: string[];
  state: string;
  attempt?: number;
  verifies?: string;
  verified_by?: string;
  question?: string;
  agent?: string;
  report?: { status: string; summary: string; artifacts: string[]; result_quality: string; source: string; failure_reason: string | null };
  artifacts?: { path: string; size: number; proven: boolean; why?: string }[];
  sources?: { url: string; title?: string }[];
  checked?: string[];
  notes?: string[];
  labels: string;
  tokens?: Used;
  context?: Gauge;
  ms?: number;
}

/** A task's plan, as the orchestrator writes it. */
export interface Plan {
  revision: number;
  replans: number;
  subtasks: Subtask[];
  tokens?: Used;
  context?: Gauge;
  words?: string[];
  notes?: string;
}

/** What came of a task. */
export interface TaskResult {
  status: string;
  answer: string;
  sources: string[];
  artifacts: string[];
  unproven: string[];
  verified: string[];
  unchecked: string[];
  uncertain: string[];
  failed: string[];
  flags: string[];
  failure_reason: string | null;
}

/** The payload of agent.spawned. */
export interface Spawned {
  agent: string;
  agent_type: string;
  lineage: string[];
  tools: string[];
  labels: string;
}

/** Whether something is of the respondent whose answer is shown, and not of the one in its shadow. */
export const shown = (of: { respondent_id?: string }): boolean => (of.respondent_id || "A") === "A";
