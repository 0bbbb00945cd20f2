// A client without a model: `node try.mjs CONFIG TOOL ARGUMENTS` starts the server that a config names, calls one tool, and prints
// the result.

import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [config, name, args] = process.argv.slice(2);
const { command, args: options } = JSON.parse(await readFile(config, "utf8")).mcpServers.keepsake;

const client = new Client({ name: "try", version: "1.0.0" });
// Not in this folder, as a desktop client has its own.
await client.connect(new StdioClientTransport({ command, args: options, cwd: tmpdir(), env: process.env }));
const { content } = await client.callTool({ name, arguments: JSON.parse(args) });
for (const { text } of content) console.log(text);
await client.close();
