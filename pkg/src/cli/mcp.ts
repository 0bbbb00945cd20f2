// `keepsake mcp`: serves a memory to an MCP client over stdio.

import type { Memory } from "../memory/memory.js";
import type { Command } from "./options.js";

export const mcpCommand: Command = {
  summary: "serve a memory to an MCP client over stdio",
  help: `Usage: keepsake mcp FILE --user NAME

Serves the memory over stdin and stdout until stdin ends. The first write creates the file.
Needs the official SDK: npm install @modelcontextprotocol/sdk

  -u, --user NAME    the user whose memory it is; default: $KEEPSAKE_USER
      --agent NAME   the agent whose memory the tools use; default: an argument of each tool
      --read-only    offer only tools that do not write
      --writable PATH
                     a file or folder that the model may write although it is hidden or not a
                     document; may be repeated; / allows everything
      --no-graph     leave out the nine tools of the reference memory server`,
  options: {
    agent: { type: "string" },
    "read-only": { type: "boolean" },
    writable: { type: "string", multiple: true },
    "no-graph": { type: "boolean" },
  },
  takes: [1, 1],
  async run(args) {
    const { user: _ } = args;
    const { mcpServer, StdioServerTransport } = await sdk();
    const memory = await args.open("write");
    const server = mcpServer(memory as unknown as Memory, {
      agent: args.text("agent"),
      readOnly: args.has("read-only"),
      writable: args.texts("writable"),
      graph: !args.has("no-graph"),
    });
    const closed = new Promise<void>((resolve) => {
      server.onclose = resolve;
    });
    const end = () => void server.close();
    process.stdin.once("end", end);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
    await server.connect(new StdioServerTransport());
    await closed;
    await memory.close();
    return 0;
  },
};

async function sdk() {
  try {
    const [{ mcpServer }, { StdioServerTransport }] = await Promise.all([
      import("../adapters/mcp/server.js"),
      import("@modelcontextprotocol/sdk/server/stdio.js"),
    ]);
    return { mcpServer, StdioServerTransport };
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error("this needs the official SDK: npm install @modelcontextprotocol/sdk", {
      cause: error,
    });
  }
}
