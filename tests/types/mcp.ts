// The server of the Model Context Protocol, with the official SDK's own types.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Memory } from "keepsake";
import { type McpOptions, mcpServer, PortTransport } from "keepsake/mcp";

export async function serve(memory: Memory, port: MessagePort): Promise<void> {
  const options: McpOptions = { readOnly: true, graph: false, agent: "planner" };
  const server: Server = mcpServer(memory, options);
  await server.connect(new PortTransport(port));
  await new Client({ name: "a", version: "1" }).connect(new PortTransport(port));
  // @ts-expect-error: no such tool
  mcpServer(memory, { only: ["fly"] });
  // @ts-expect-error: a memory is needed
  mcpServer({});
}
