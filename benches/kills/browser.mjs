// Three tabs of Chromium or Firefox (`KEEPSAKE_BROWSER`) on one IndexedDB, in a profile that stays.

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { launchPersistent } from "../../tests/e2e/support/browser.mjs";
import { serve } from "../../www/serve.mjs";

const TABS = 3;
const PAGE = "tests/e2e/support/page.html";
const HEADERS = { "Content-Security-Policy": "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'" };

export async function host() {
  const server = await serve({
    folder: fileURLToPath(new URL("../..", import.meta.url)),
    port: 0,
    headers: HEADERS,
  });
  const profile = await mkdtemp(join(tmpdir(), "keepsake-kills-"));
  return {
    writers: TABS,
    isLocal: true,
    start: () => started(profile, new URL(PAGE, server.url).href),
    async remove() {
      await server.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function started(profile, url) {
  // A busy machine may need long for it.
  const context = await launchPersistent(profile, { timeout: 300_000 });
  const group = await leaderOf(profile);
  const tabs = await Promise.all(
    Array.from({ length: TABS }, async () => {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    }),
  );
  let killed = false;
  return {
    execute: (tab, operation) => tabs[tab].evaluate(inPage, operation).then(answered),
    readAll: (tab) => tabs[tab].evaluate(inPage, null).then(answered),
    async kill() {
      if (killed) return;
      killed = true;
      process.kill(-group, "SIGKILL");
      while (await isAlive(group)) await wait(5);
      await context.close().catch(() => {});
    },
  };
}

/** Runs in the page, which opens the memory when it is first asked. Errors of a page lose their codes on the way here. */
async function inPage(operation) {
  try {
    const { execute, readAll } = await import("/benches/kills/verbs.mjs");
    globalThis.opening ??= import("keepsake").then(({ openMemory }) =>
      openMemory({ name: "kills", user: "u-1", storage: "indexeddb" }),
    );
    const memory = await globalThis.opening;
    return { answer: await (operation ? execute(memory, operation) : readAll(memory)) };
  } catch ({ code, message }) {
    return { error: { code, message } };
  }
}

function answered({ answer, error }) {
  if (error) throw Object.assign(new Error(error.message), { code: error.code });
  return answer;
}

/** The process that was started on this profile and leads a group: the browser itself. */
export async function leaderOf(profile) {
  for (const { pid, group } of await processes()) {
    if (pid !== group) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command.includes(profile)) return pid;
  }
  throw new Error(`no process leads a group on ${profile}`);
}

export async function isAlive(group) {
  return (await processes()).some((one) => one.group === group && one.state !== "Z");
}

async function processes() {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = ids.map(async (id) => {
    const line = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
    // The name of the program, in parentheses, may have spaces.
    const [state, , group] = line.slice(line.lastIndexOf(")") + 2).split(" ");
    return { pid: Number(id), state, group: Number(group) };
  });
  return Promise.all(all);
}
