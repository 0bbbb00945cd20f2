// Export and import: everything as JSON Lines, the files as a ZIP.

import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { zipFolder } from "../../memory/files/zip/zip-folder.js";
import { exported } from "../../portable/exported.js";
import { numbered, takeAll } from "../../portable/read.js";
import { checked, sealed } from "../../portable/seal.js";
import { Taker } from "../../portable/taker.js";
import { type AnyMemory, useInside } from "../inside.js";
import { type Task, TaskLine, type Work } from "../parts/task.js";
import type { Counts } from "./counts.js";

interface TransferProps {
  task: Task;
  /** Whether this or another task is running. */
  isBusy: boolean;
  counts: Counts;
}

export function TransferCard({ task, isBusy, counts }: TransferProps): VNode {
  const { say, memory } = useInside();
  const file = useRef<HTMLInputElement>(null);
  const asLines = () =>
    task.start(say("exporting"), async (work) => {
      const parts = await linesOf(memory, counts, work);
      download(new Blob(parts, { type: "application/x-ndjson" }), "memory.jsonl");
      return say("exported", { n: parts.length });
    });
  const asZip = () =>
    task.start(say("exporting"), async ({ signal, progress }) => {
      const zip = zipFolder();
      const { exported: written } = await memory.files.exportTo(zip, { signal, onProgress: progress });
      signal.throwIfAborted();
      download(await zip.toBlob(), "files.zip");
      return say("exportedFiles", { n: written.length });
    });
  const take = (chosen: File) =>
    task.start(say("importing"), async (work) => {
      const isZip = /\.zip$/i.test(chosen.name) || chosen.type === "application/zip";
      return isZip ? takeZip(chosen, work) : takeLines(chosen, work);
    });

  async function takeZip(chosen: File, { signal, progress }: Work): Promise<string> {
    const zip = zipFolder(await chosen.arrayBuffer());
    const { imported, merged, skipped } = await memory.files.importFrom(zip, {
      signal,
      onProgress: progress,
    });
    signal.throwIfAborted();
    const taken = imported.length + merged.length;
    return say("importedFiles", { n: taken, skipped: skipped.length });
  }

  async function takeLines(chosen: File, { signal, progress }: Work): Promise<string> {
    const total = countLines(new Uint8Array(await chosen.arrayBuffer()));
    await checked(numbered(piecesOf(chosen)));
    const lines = numbered(piecesOf(chosen));
    await lines.next();
    // The clock is not set: imported items are written now, with their original event times.
    const taker = new Taker(memory);
    const sum = (counted: Taker["taken"]) => Object.values(counted).reduce((all, n) => all + n, 0);
    const report = () => say("imported", { n: sum(taker.taken), kept: sum(taker.kept) });
    try {
      await takeAll(taker, lines, { signal, onLine: (done) => progress({ done, total }) });
    } catch (error) {
      if (!signal.aborted) throw error;
      return `${say("cancelled")} ${report()}`;
    }
    return report();
  }

  return (
    <section class="card transfer">
      <h2>{say("transfer")}</h2>
      <p class="dim">{say("transferWhy")}</p>
      <div class="actions">
        <button type="button" disabled={isBusy} onClick={asLines}>
          {say("exportLines")}
        </button>
        <button type="button" disabled={isBusy || counts.files.length === 0} onClick={asZip}>
          {say("exportZip")}
        </button>
        <label class="button" aria-disabled={isBusy}>
          {say("import")}
          <input
            ref={file}
            type="file"
            class="unseen"
            accept=".jsonl,.ndjson,.zip"
            disabled={isBusy}
            onChange={(event) => {
              const chosen = event.currentTarget.files?.[0];
              // So that the same file can be chosen again.
              event.currentTarget.value = "";
              if (chosen) take(chosen);
            }}
          />
        </label>
      </div>
      <TaskLine task={task} />
    </section>
  );
}

async function linesOf(memory: AnyMemory, counts: Counts, { signal, progress }: Work): Promise<string[]> {
  const { entries, sessions, messages, profile, skills, steps, files } = counts;
  const total = 2 + entries + sessions.length + messages + profile + skills.length + steps + files.length;
  const parts: string[] = [];
  for await (const text of sealed(exported(memory))) {
    signal.throwIfAborted();
    parts.push(`${text}\n`);
    if (parts.length % 20 === 0) progress({ done: parts.length, total });
  }
  return parts;
}

function countLines(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0) || 1;
}

/** The chunks of a file; not every browser can iterate a stream. */
async function* piecesOf(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  const url = URL.createObjectURL(blob);
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has started to read the URL.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
