// One WebKit with its driver, on a screen that nobody sees. A driver has one session, so each context has its own.

import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const START_LIMIT_MS = 30_000;
const RETRY_MS = 50;

/** Debian keeps the browser that comes with the library among the library's own files. */
function miniBrowser() {
  const named = process.env.WEBKIT_BROWSER;
  if (named) return named;
  for (const machine of readdirSync("/usr/lib")) {
    for (const version of ["webkitgtk-6.0", "webkit2gtk-4.1", "webkit2gtk-4.0"]) {
      const file = join("/usr/lib", machine, version, "MiniBrowser");
      if (existsSync(file)) return file;
    }
  }
  throw new Error("no MiniBrowser: install WebKitGTK, or name one in WEBKIT_BROWSER");
}

/** A screen for windows. Answers its name and how to end it. */
export async function screen() {
  const server = spawn(
    process.env.XVFB ?? "Xvfb",
    ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"],
    {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    },
  );
  const display = await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", () => reject(new Error("Xvfb ended by itself")));
    server.stdio[3].once("data", (number) => resolve(`:${String(number).trim()}`));
  });
  return { display, close: () => server.kill() };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A session of its own: `call` is a command of WebDriver's, `close` ends the browser. */
export async function session(program, display) {
  const port = await freePort();
  const environment = {
    ...process.env,
    DISPLAY: display,
    // A language that every system has: WebKit would take one that is not installed for none at all.
    LC_ALL: "C.UTF-8",
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    LIBGL_ALWAYS_SOFTWARE: "1",
    GTK_A11Y: "none",
  };
  // A group of its own, so that nothing of it is left over.
  const driver = spawn(program, [`--port=${port}`], { env: environment, stdio: "ignore", detached: true });
  const send = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body: body && JSON.stringify(body),
    });
    const { value } = await response.json();
    if (response.ok) return value;
    throw Object.assign(new Error(`${value.error}: ${value.message}`), { code: value.error });
  };
  const end = () => {
    try {
      process.kill(-driver.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  };
  try {
    const browser = { binary: miniBrowser(), args: ["--automation"] };
    const wanted = { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": browser } } };
    const until = Date.now() + START_LIMIT_MS;
    let begun;
    while (!begun) {
      begun = await send("POST", "/session", wanted).catch(async (error) => {
        // The driver does not listen yet.
        if (error.code || Date.now() > until) throw error;
        await sleep(RETRY_MS);
      });
    }
    const at = `/session/${begun.sessionId}`;
    return {
      call: (method, path, body) => send(method, `${at}${path}`, body),
      async close() {
        await send("DELETE", at).catch(() => undefined);
        end();
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}
