// A registry on loopback that has one package: this one, as `npm pack` writes it. With it `npm install keepsake` and
// `npx keepsake` are run as a reader types them.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./pages.mjs";

const run = promisify(execFile);

/** Packs the package and serves it. Returns the environment in which npm uses this registry alone, and `close`. */
export async function startRegistry() {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-registry-"));
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder, join(root, "pkg")];
  const [packed] = JSON.parse((await run("npm", args, { cwd: root, maxBuffer: 1e8 })).stdout);
  const tarball = await readFile(join(folder, packed.filename));
  const manifest = JSON.parse(await readFile(join(root, "pkg/package.json"), "utf8"));
  const { name, version, integrity, shasum } = packed;

  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const dist = { tarball: `${origin}/${packed.filename}`, integrity, shasum };
    if (request.url === `/${packed.filename}`) return response.end(tarball);
    if (request.url !== `/${name}`) return response.writeHead(404).end("{}");
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        name,
        "dist-tags": { latest: version },
        versions: { [version]: { ...manifest, dist } },
      }),
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    env: {
      npm_config_registry: `http://127.0.0.1:${server.address().port}`,
      npm_config_cache: join(folder, "cache"),
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
      // Where the machine reaches other registries through a proxy.
      no_proxy: "127.0.0.1,localhost",
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
