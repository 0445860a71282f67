package orchestrator

import "encoding/json"

// outputSchema is the published form of a task as programs get it.
const outputSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "A task of the orchestrator, as moothall task --json prints it",
  "type": "object",
  "required": ["id", "session_id", "goal", "state", "created", "updated"],
  "properties": {
    "id": {"type": "string"},
    "session_id": {"type": "string"},
    "goal": {"type": "string"},
    "state": {"type": "string", "enum": ["planning", "planned", "running", "paused", "asking", "done", "partial", "failed", "stopped"]},
    "created": {"type": "string"},
    "updated": {"type": "string"},
    "plan": {"$ref": "#/$defs/plan"},
    "result": {"$ref": "#/$defs/result"}
  },
  "$defs": {
    "words": {"type": "array", "items": {"type": "string"}},
    "tokens": {
      "type": "object", "required": ["used", "budget"],
      "properties": {"used": {"type": "integer"}, "budget": {"type": "integer", "description": "0: none"}}
    },
    "gauge": {
      "type": "object", "required": ["tokens", "window", "share"],
      "properties": {
        "tokens": {"type": "integer"}, "window": {"type": "integer"}, "share": {"type": "number"},
        "compacted": {"type": "integer", "description": "how often older summaries became notes"}
      }
    },
    "report": {
      "type": "object",
      "required": ["status", "summary", "artifacts", "result_quality", "source", "new_memory_candidates", "failure_reason"],
      "additionalProperties": false,
      "properties": {
        "status": {"type": "string", "enum": ["success", "partial", "failed"]},
        "summary": {"type": "string"},
        "artifacts": {"$ref": "#/$defs/words"},
        "result_quality": {"type": "string", "enum": ["verified", "inferred", "uncertain"]},
        "source": {"type": "string", "enum": ["tool_output", "model_knowledge", "web"]},
        "new_memory_candidates": {"$ref": "#/$defs/words"},
        "failure_reason": {"type": ["string", "null"]}
      }
    },
    "subtask": {
      "type": "object",
      "required": ["id", "agent_type", "task", "depends_on", "inputs", "state", "labels", "tokens", "context", "ms"],
      "properties": {
        "id": {"type": "string"},
        "agent_type": {"type": "string"},
        "task": {"type": "string"},
        "depends_on": {"$ref": "#/$defs/words"},
        "inputs": {"$ref": "#/$defs/words"},
        "check": {"type": "object"},
        "state": {"type": "string", "enum": ["pending", "ready", "running", "unknown_after_crash", "done", "failed", "cancelled"]},
        "attempt": {"type": "integer"},
        "verifies": {"type": "string"},
        "verified_by": {"type": "string"},
        "question": {"type": "string"},
        "agent": {"type": "string"},
        "report": {"$ref": "#/$defs/report"},
        "artifacts": {
          "type": "array",
          "items": {
            "type": "object", "required": ["path", "size", "proven"],
            "properties": {"path": {"type": "string"}, "size": {"type": "integer"}, "proven": {"type": "boolean"}, "why": {"type": "string"}}
          }
        },
        "sources": {
          "type": "array",
          "items": {"type": "object", "required": ["url"], "properties": {"url": {"type": "string"}, "title": {"type": "string"}}}
        },
        "checked": {"$ref": "#/$defs/words"},
        "notes": {"$ref": "#/$defs/words"},
        "labels": {"type": "string"},
        "tokens": {"$ref": "#/$defs/tokens"},
        "context": {"$ref": "#/$defs/gauge"},
        "ms": {"type": "integer"}
      }
    },
    "plan": {
      "type": "object",
      "required": ["revision", "replans", "subtasks", "tokens", "context"],
      "properties": {
        "revision": {"type": "integer"},
        "replans": {"type": "integer"},
        "changed": {"type": "boolean", "description": "only subtasks that changed are listed"},
        "subtasks": {"type": "array", "items": {"$ref": "#/$defs/subtask"}},
        "tokens": {"$ref": "#/$defs/tokens"},
        "context": {"$ref": "#/$defs/gauge"},
        "words": {"$ref": "#/$defs/words"},
        "notes": {"type": "string"}
      }
    },
    "result": {
      "type": "object",
      "required": ["status", "answer", "sources", "artifacts", "unproven", "verified", "unchecked", "uncertain", "failed", "flags", "failure_reason", "labels", "tokens", "by_role", "context"],
      "additionalProperties": false,
      "properties": {
        "status": {"type": "string", "enum": ["success", "partial", "failed", "stopped"]},
        "answer": {"type": "string"},
        "sources": {"$ref": "#/$defs/words"},
        "artifacts": {"$ref": "#/$defs/words"},
        "unproven": {"$ref": "#/$defs/words"},
        "verified": {"$ref": "#/$defs/words"},
        "unchecked": {"$ref": "#/$defs/words"},
        "uncertain": {"$ref": "#/$defs/words"},
        "failed": {"$ref": "#/$defs/words"},
        "flags": {"$ref": "#/$defs/words"},
        "failure_reason": {"type": ["string", "null"]},
        "labels": {"type": "string"},
        "tokens": {"$ref": "#/$defs/tokens"},
        "by_role": {"type": "object"},
        "context": {"$ref": "#/$defs/gauge"}
      }
    }
  }
}`

// OutputSchema is the JSON schema of a task with its plan and its result.
func OutputSchema() json.RawMessage { return json.RawMessage(outputSchema) }
