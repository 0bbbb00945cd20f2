// The server of the config, started as a desktop client starts it: what one process keeps, the next one finds.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { testExample } from "./support.mjs";

testExample("mcp-desktop", {
  async meanwhile({ folder, env }) {
    const { mcpServers } = JSON.parse(await readFile(join(folder, "mine.json"), "utf8"));
    const { command, args } = mcpServers.keepsake;
    const within = async (act) => {
      const client = new Client({ name: "test", version: "1.0.0" });
      // A desktop client starts servers elsewhere.
      await client.connect(
        new StdioClientTransport({ command, args, cwd: "/", env: { ...process.env, ...env } }),
      );
      try {
        return await act(client);
      } finally {
        await client.close();
      }
    };
    await within((client) =>
      client.callTool({
        name: "create_entities",
        arguments: { entities: [{ name: "Ann", entityType: "person", observations: ["lives in Oslo"] }] },
      }),
    );
    const [found, known] = await within((client) =>
      Promise.all([
        client.callTool({ name: "memory_search", arguments: { query: "deploy keys" } }),
        client.callTool({ name: "search_nodes", arguments: { query: "Oslo" } }),
      ]),
    );
    assert.match(found.content[0].text, /Deploy keys rotate on Mondays/);
    assert.match(known.content[0].text, /lives in Oslo/);
  },
});
