// A registry on loopback that has one package: this one, as `npm pack` writes it. With it `npm install keepsake` and
// `npx keepsake` are run as a reader types them. Whatever else is asked for is not found, or comes from the registry of this
// machine's npm.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./pages.mjs";

const run = promisify(execFile);

/** Where the packages of others are kept from one run to the next. */
const CACHE = join(root, "target/npm-cache");

/**
 * Packs the package and serves it. Returns the archive's integrity, the environment in which npm uses this registry
 * alone, and `close`.
 *
 * @param {object} [options]
 * @param {boolean} [options.others] Whether packages of others can be installed, too. Default `false`.
 */
export async function startRegistry({ others = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-registry-"));
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder, join(root, "pkg")];
  const [packed] = JSON.parse((await run("npm", args, { cwd: root, maxBuffer: 1e8 })).stdout);
  const tarball = await readFile(join(folder, packed.filename));
  const manifest = JSON.parse(await readFile(join(root, "pkg/package.json"), "utf8"));
  const { name, version, integrity, shasum } = packed;
  const cache = join(folder, "cache");
  const next = others
    ? (await run("npm", ["config", "get", "registry"], { cwd: root })).stdout.trim()
    : undefined;

  if (others) {
    // Only what was downloaded: `npx` would run a package of an earlier run again.
    await mkdir(cache);
    await mkdir(CACHE, { recursive: true });
    await symlink(CACHE, join(cache, "_cacache"));
  }

  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const dist = { tarball: `${origin}/${packed.filename}`, integrity, shasum };
    if (request.url === `/${packed.filename}`) return response.end(tarball);
    if (request.url !== `/${name}`) {
      if (next === undefined) return response.writeHead(404).end("{}");
      return response.writeHead(302, { location: new URL(request.url.slice(1), next).href }).end();
    }
    // This package is another one in the next run.
    response.setHeader("cache-control", "no-store");
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
    integrity,
    env: {
      npm_config_registry: `http://127.0.0.1:${server.address().port}/`,
      npm_config_cache: cache,
      npm_config_prefer_offline: String(others),
      // A request that hangs is tried again before the commands are late.
      npm_config_fetch_timeout: "30000",
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
