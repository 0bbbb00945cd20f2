// Entries by namespace: a list of any length, and the open entry.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useInside } from "../inside.js";
import { VirtualList } from "../parts/list.js";
import { inShort } from "../parts/said.js";
import { Empty, Failed } from "../parts/state.js";
import { Tags } from "../parts/tags.js";
import { EntryDetails } from "./entry.js";
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
  const { say, named, number, time, percent, target } = useInside();
  const [namespace, setNamespace] = useState("");
  const [open, setOpen] = useState<string>();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (target?.kind === "entry") setOpen(target.id);
  }, [target]);
  // Below the list, it may be out of sight.
  useEffect(() => {
    if (open !== undefined) card.current?.scrollIntoView({ block: "nearest" });
  }, [open]);
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
                    <span>{say("expires", { day: time(row.expiresAt) })}</span>
                    <Tags of={row.tags} />
                  </span>
                </button>
              );
            }}
          />
        )}
      </section>
      <section ref={card} class="card" aria-label={say("entry")} tabIndex={-1}>
        {open === undefined ? (
          <Empty>{say("openEntry")}</Empty>
        ) : (
          <EntryDetails
            key={open}
            id={open}
            onDeleted={() => {
              setOpen(undefined);
              card.current?.focus();
            }}
          />
        )}
      </section>
    </div>
  );
}
