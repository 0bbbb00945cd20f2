// Storage: the available space, its use, export, import and erasing.

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useInside } from "../inside.js";
import { Bar } from "../parts/bar.js";
import { useLive } from "../parts/live.js";
import { Answer, Failed } from "../parts/state.js";
import { TaskLine, useTask } from "../parts/task.js";
import { type Counts, countsOf } from "./counts.js";
import { EraseCard } from "./erase.js";
import { TransferCard } from "./transfer.js";

export function StorageView(): VNode {
  const transfer = useTask();
  const erasing = useTask();
  const isBusy = (transfer.running ?? erasing.running) !== undefined;
  // A task with a thousand writes causes one update, when it is done.
  const counts = useLive("counts", countsOf, { paused: isBusy });
  return (
    <>
      <RoomCard isBusy={isBusy} />
      <Answer of={counts}>
        {(found) => (
          <div class="columns">
            <SizesCard counts={found} />
            <div class="stack">
              <TransferCard task={transfer} isBusy={isBusy} counts={found} />
              <EraseCard task={erasing} isBusy={isBusy} counts={found} />
            </div>
          </div>
        )}
      </Answer>
    </>
  );
}

interface Room {
  usage?: number | undefined;
  quota?: number | undefined;
  persisted?: boolean | undefined;
}

/** The browser's storage estimate of this site; `undefined` where it has none. */
async function roomHere(): Promise<Room> {
  const storage = globalThis.navigator?.storage as Partial<StorageManager> | undefined;
  const estimate = await storage?.estimate?.();
  return { usage: estimate?.usage, quota: estimate?.quota, persisted: await storage?.persisted?.() };
}

function RoomCard({ isBusy }: { isBusy: boolean }): VNode {
  const { say, size, percent, memory, announce } = useInside();
  const [asked, setAsked] = useState(0);
  const [refused, setRefused] = useState(false);
  const [error, setError] = useState<unknown>();
  const room = useLive(`room/${asked}`, roomHere, { paused: isBusy });
  const { usage, quota, persisted } = room.value ?? {};
  const persist = async () => {
    try {
      const granted = await navigator.storage.persist();
      setRefused(!granted);
      announce(say(granted ? "persisted" : "persistRefused"));
      setAsked((n) => n + 1);
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <section class="card" aria-label={say("room")}>
      <div class="figures">
        <div>
          <b class="big figure">{usage === undefined ? "–" : size(usage)}</b> {say("roomUsed")}
        </div>
        <div>
          <b class="big figure">{quota === undefined ? "–" : size(quota)}</b> {say("roomThere")}
        </div>
        <div>
          <b class="big">
            {memory.persistent ? (persisted ? say("persisted") : say("notPersisted")) : say("inMemory")}
          </b>
        </div>
      </div>
      {usage !== undefined && quota !== undefined && quota > 0 && (
        <Bar
          label={`${say("roomUsed")} ${percent(usage / quota)}`}
          total={quota}
          parts={[{ name: say("roomUsed"), value: usage, tone: 0 }]}
          format={size}
        />
      )}
      {!memory.persistent && <p class="dim">{memory.storageProblem ?? say("inMemoryWhy")}</p>}
      {memory.persistent && persisted === false && (
        <p>
          {say(refused ? "persistRefused" : "persistWhy")}{" "}
          <button type="button" onClick={persist}>
            {say("persist")}
          </button>
        </p>
      )}
      <Failed error={error ?? room.error} />
    </section>
  );
}

/** The count and size of each kind, as far as they are known without reading everything. */
function SizesCard({ counts }: { counts: Counts }): VNode {
  const { say, named, number, size, memory } = useInside();
  const task = useTask();
  const [characters, setCharacters] = useState<Map<string, number>>();
  const measure = () =>
    task.start(say("measuring"), async ({ signal, progress }) => {
      const sums = new Map<string, number>();
      let done = 0;
      for await (const { namespace, contentLength } of memory.entries({ pageSize: 500 })) {
        signal.throwIfAborted();
        sums.set(namespace, (sums.get(namespace) ?? 0) + contentLength);
        done += 1;
        if (done % 100 === 0) progress({ done, total: counts.entries });
      }
      setCharacters(sums);
      return say("measured");
    });
  // A measurement is outdated after a write.
  useEffect(() => setCharacters(undefined), [counts.entries]);
  const namespaces = Object.entries(counts.namespaces);
  const rows: [name: string, count: number, size: string][] = [
    ...namespaces.map(([name, count]): [string, number, string] => [
      `${say("entries")}: ${named(name)}`,
      count,
      characters ? say("characters", { n: characters.get(name) ?? 0 }) : "–",
    ]),
    [say("sessions"), counts.sessions.length, say("tokens", { n: counts.tokens })],
    [say("messagesName"), counts.messages, "–"],
    [say("profile"), counts.profile, "–"],
    [say("skills"), counts.skills.length, "–"],
    [say("stepCount"), counts.steps, "–"],
    [say("entities"), counts.entities.length, say("relations", { n: counts.relations })],
    [say("files"), counts.files.length, size(counts.bytes)],
  ];
  return (
    <section class="card table" tabIndex={0} aria-label={say("sizes")}>
      <div class="line">
        <h2>{say("sizes")}</h2>
        <button type="button" disabled={task.running !== undefined || counts.entries === 0} onClick={measure}>
          {say("measure")}
        </button>
      </div>
      <TaskLine task={task} />
      <table>
        <thead>
          <tr>
            <th scope="col">{say("kind")}</th>
            <th scope="col" class="right">
              {say("count")}
            </th>
            <th scope="col" class="right">
              {say("size")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, count, large]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="figure right">{number(count)}</td>
              <td class="figure right dim">{large}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
