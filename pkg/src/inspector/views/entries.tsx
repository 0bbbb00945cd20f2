// Entries by namespace: a list of any length, and the open entry.

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useInside } from "../inside.js";
import { VirtualList } from "../parts/list.js";
import { useLive } from "../parts/live.js";
import { OutsideRef, Ref } from "../parts/ref.js";
import { inShort, written } from "../parts/said.js";
import { Answer, Empty, Failed } from "../parts/state.js";
import { EntryRows } from "./entry-rows.js";

const ROW = 48;

function useRows(namespace: string): EntryRows | undefined {
  const { memory } = useInside();
  const [, redraw] = useState(0);
  const [rows, setRows] = useState<EntryRows>();
  useEffect(() => {
    const made = new EntryRows(memory, namespace || undefined, () => redraw((n) => n + 1));
    setRows(made);
    return () => made.end();
  }, [memory, namespace]);
  return rows;
}

export function EntriesPane(): VNode {
  const { say, named, number, day, percent, target } = useInside();
  const [namespace, setNamespace] = useState("");
  const [open, setOpen] = useState<string>();
  useEffect(() => {
    if (target?.kind === "entry") setOpen(target.id);
  }, [target]);
  const rows = useRows(namespace);
  const counts = Object.entries(rows?.namespaces ?? {});
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return (
    <div class="sides even">
      <section class="card side">
        <div class="controls">
          <label>
            {say("namespace")}
            <select value={namespace} onChange={(event) => setNamespace(event.currentTarget.value)}>
              <option value="">{`${say("all")} (${number(all)})`}</option>
              {counts.map(([name, count]) => (
                <option key={name} value={name}>{`${named(name)} (${number(count)})`}</option>
              ))}
            </select>
          </label>
        </div>
        <Failed error={rows?.error} />
        {rows && !rows.waiting && rows.total === 0 ? (
          <Empty call="memory.add(text)">{say("noEntries")}</Empty>
        ) : (
          <VirtualList
            key={namespace}
            label={say("entries")}
            count={rows?.total ?? 0}
            rowHeight={ROW}
            onNeed={(to) => rows?.need(to)}
            row={(at) => {
              const row = rows?.rows[at];
              if (!row) return <span class="row dim">{say("loading")}</span>;
              return (
                <button
                  type="button"
                  class="row"
                  aria-current={row.id === open ? "true" : undefined}
                  onClick={() => setOpen(row.id)}
                >
                  <span class="name">{inShort(row.text, 160) || row.id}</span>
                  <span class="facts dim">
                    <span>{named(row.namespace)}</span>
                    <span>{say("importanceOf", { part: percent(row.importance) })}</span>
                    <span>{say("expires", { day: day(row.expiresAt) })}</span>
                    {row.tags.map((tag) => (
                      <span key={tag} class="tag">
                        {tag}
                      </span>
                    ))}
                  </span>
                </button>
              );
            }}
          />
        )}
      </section>
      <section class="card" aria-label={say("entry")}>
        {open === undefined ? <Empty>{say("openEntry")}</Empty> : <EntryDetails key={open} id={open} />}
      </section>
    </div>
  );
}

function EntryDetails({ id }: { id: string }): VNode {
  const { say, named, time, percent } = useInside();
  const found = useLive(`entry/${id}`, async (memory) => {
    const [entry, before] = await Promise.all([memory.get(id), memory.history(id)]);
    return { entry, before };
  });
  return (
    <Answer of={found}>
      {({ entry, before }) => {
        if (!entry) return <Empty>{say("gone")}</Empty>;
        const { session, source } = entry;
        const facts: [name: string, value: VNode | string | undefined][] = [
          [say("id"), entry.id],
          [say("namespace"), named(entry.namespace)],
          [say("importance"), percent(entry.importance)],
          [say("trust"), say(`trust_${entry.trust}`)],
          [say("happened"), time(entry.at)],
          [say("written"), time(entry.updatedAt)],
          [say("expiresAt"), time(entry.expiresAt)],
          [say("key"), entry.key],
          [say("speaker"), entry.speaker],
          [say("agent"), entry.agent],
          [say("session"), session && sessionRef(session)],
          [say("source"), source && sourceRef(source)],
        ];
        return (
          <>
            <div class="text content">{entry.content}</div>
            <p class="facts">
              {entry.truncated && <span class="tag">{say("cut")}</span>}
              {entry.tags.map((tag) => (
                <span key={tag} class="tag">
                  {tag}
                </span>
              ))}
            </p>
            <dl class="pairs">
              {facts.map(
                ([name, value]) =>
                  value !== undefined && (
                    <div key={name}>
                      <dt>{name}</dt>
                      <dd>{value}</dd>
                    </div>
                  ),
              )}
            </dl>
            {Object.keys(entry.metadata).length > 0 && <pre class="data">{written(entry.metadata)}</pre>}
            {before.length > 0 && (
              <details>
                <summary>{say("versions", { n: before.length })}</summary>
                {before.map((version) => (
                  <div key={version.version} class="quote">
                    <p class="dim">{time(version.updatedAt)}</p>
                    <div class="text">{version.content}</div>
                  </div>
                ))}
              </details>
            )}
          </>
        );
      }}
    </Answer>
  );
}

function sessionRef(id: string): VNode {
  return <Ref to={{ kind: "session", id }}>{id}</Ref>;
}

function sourceRef(source: string): VNode {
  return <OutsideRef to={{ kind: "source", ref: source }}>{source}</OutsideRef>;
}
