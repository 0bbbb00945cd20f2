// Two hosts of wasmtime, which serve the API from one Redis. One of them is killed, and both of them every fourth time.

import { remoteMemory } from "keepsake/remote";
import { tokenOf } from "../../tests/js/support/edge.mjs";
import { admit, redis, wasmtimeServer } from "../../tests/service/support/server.mjs";
import { execute, readAll } from "./verbs.mjs";

const HOSTS = 2;
const BOTH = 4;
const DRAFT = "draft2";

export async function host() {
  const store = await redis();
  await admit(store, ["ann"], { requestsPerMinute: 1_000_000 });
  const hosts = Array(HOSTS).fill(undefined);
  let kills = 0;
  const kill = (hosts) => Promise.all(hosts.map((one) => one?.kill()));
  return {
    writers: HOSTS,
    isLocal: false,
    asksAgain: true,
    async start() {
      await Promise.all(
        hosts.map(async (one, at) => {
          if (!one || one.isKilled()) hosts[at] = await started(store);
        }),
      );
      const all = [...hosts];
      let killing;
      return {
        execute: (writer, operation) => execute(all[writer].memory, operation),
        readAll: (writer) => readAll(all[writer].memory),
        kill() {
          kills += killing ? 0 : 1;
          killing ??= kill(kills % BOTH === 0 ? all : [all[kills % HOSTS]]);
          return killing;
        },
      };
    },
    async remove() {
      await kill(hosts);
      await store.end();
    },
  };
}

async function started(store) {
  const { url, end } = await wasmtimeServer(DRAFT, store);
  const killed = new AbortController();
  const memory = remoteMemory({
    url,
    token: tokenOf("ann"),
    retries: 20,
    maxPause: 250,
    signal: killed.signal,
  });
  return {
    memory,
    isKilled: () => killed.signal.aborted,
    async kill() {
      await end();
      // No attempt is made again: the host is gone for good.
      killed.abort();
    },
  };
}
