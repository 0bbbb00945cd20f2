// Places where a system runs: a page of Chromium, or a process of Node. Both have `call(name, ...arguments)` for the
// functions of driver.mjs, and `close`.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Rejects when the work takes longer; the caller closes the seat then. */
export async function within(limitMs, work) {
  let timer;
  const late = new Promise((_, reject) => {
    const error = new Error(`not done after ${Math.round(limitMs / 1000)} seconds`);
    timer = setTimeout(() => reject(error), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Options for a process of Node that uses the staged package. */
export const withStaged = (staged) => ({
  execArgv: ["--import", new URL("staged-package.mjs", import.meta.url).href],
  env: { ...process.env, KEEPSAKE_STAGED: staged },
});

export async function pageSeat(browser, limitMs) {
  const tab = await browser.tab();
  // Loaded before any clock runs: the corpus takes a moment to make up its words.
  await tab.call("driver", "close");
  return {
    call: (name, ...given) => within(limitMs, tab.call("driver", name, ...given)),
    heap: tab.heap,
    requests: tab.requests,
    close: () => tab.close(),
  };
}

export async function nodeSeat(staged, limitMs) {
  const child = fork(fileURLToPath(new URL("node-seat.mjs", import.meta.url)), [], {
    // A library that prints must not disturb the output of this command.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    ...withStaged(staged),
    serialization: "advanced",
  });
  await once(child, "message");
  let last = 0;
  const call = (name, ...given) =>
    new Promise((resolve, reject) => {
      last += 1;
      const ticket = last;
      const ended = () => reject(new Error("the process ended: it may have run out of memory"));
      const answered = ({ ticket: of, result, error }) => {
        if (of !== ticket) return;
        child.off("exit", ended);
        child.off("message", answered);
        if (error === undefined) resolve(result);
        else reject(new Error(error));
      };
      child.on("message", answered);
      child.once("exit", ended);
      child.send({ ticket, name, given });
    });
  return {
    call: (name, ...given) => within(limitMs, call(name, ...given)),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, "exit");
    },
  };
}
