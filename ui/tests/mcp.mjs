// A server that speaks as much MCP over HTTP as the hall asks for.
import { createServer } from "node:http";

export class Server {
  tools = [{ name: "tide", description: "Says when the tide is high.", inputSchema: { type: "object", properties: { harbour: { type: "string", description: "Which harbour" } }, required: ["harbour"] } }];

  async up() {
    this.server = createServer((req, res) => void this.#serve(req, res).catch(() => res.destroy()));
    await new Promise((ok) => this.server.listen(0, "127.0.0.1", ok));
    this.url = `http://127.0.0.1:${this.server.address().port}/mcp`;
    return this;
  }

  down() {
    this.server.closeAllConnections();
    this.server.close();
  }

  async #serve(req, res) {
    let body = "";
    for await (const chunk of req) body += chunk;
    if (req.method !== "POST") return res.writeHead(405).end();
    const ask = JSON.parse(body);
    if (ask.id === undefined) return res.writeHead(202).end();
    const results = {
      initialize: { protocolVersion: ask.params?.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "harbour", version: "1" } },
      "tools/list": { tools: this.tools },
      "tools/call": { content: [{ type: "text", text: "High at 14:07." }] },
      ping: {},
    };
    const result = results[ask.method];
    res.setHeader("Content-Type", "application/json");
    res.end(JSON.stringify({ jsonrpc: "2.0", id: ask.id, ...(result ? { result } : { error: { code: -32601, message: "not here" } }) }));
  }
}
