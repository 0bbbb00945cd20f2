// A server on the file that the first argument names, for a client that starts this program.

import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { jsonl, openMemory } from "keepsake";
import { mcpServer } from "keepsake/mcp";

const memory = await openMemory({ user: "u-1", storage: jsonl(process.argv[2]) });
await mcpServer(memory).connect(new StdioServerTransport());
