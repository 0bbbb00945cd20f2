// Import of many entries, from a file or generated, with progress and cancellation.

import { useEffect, useRef, useState } from "preact/hooks";
import { problemOf } from "../chat/conversation.js";
import { useApp, useTexts } from "../shell/context.js";
import { Dialog } from "../shell/dialog.js";
import { preferences } from "../shell/preferences.js";
import type { Texts } from "../text/texts.js";
import { BadLine, type Draft, draftsOf } from "./lines.js";
import { takeAll } from "./take.js";

interface Progress {
  done: number;
  total: number;
}

/** The dialog. Closing it stops the import. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const app = useApp();
  const { importing, app: words, problems } = useTexts();
  const [progress, show] = useState<Progress | undefined>(undefined);
  const [result, tell] = useState("");
  const stop = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  const run = async (read: () => Promise<Generator<Draft>>) => {
    const control = new AbortController();
    stop.current = control;
    tell("");
    try {
      const { drafts, bad } = collected(await read());
      if (drafts.length === 0 && !bad) return tell(importing.empty);
      show({ done: 0, total: drafts.length });
      const onProgress = (done: number) => show({ done, total: drafts.length });
      const { added, skipped } = await takeAll(await app.memory, drafts, onProgress, control.signal);
      tell(resultOf(importing, { added, skipped, bad, cancelled: control.signal.aborted }));
    } catch (error) {
      const problem = problemOf(error);
      tell(problems.memory(problem.detail));
    } finally {
      show(undefined);
    }
  };
  const many = () =>
    run(async () => (await import("../sample/many.js")).manyEntries(5000, preferences.value.language));

  return (
    <Dialog title={importing.title} onClose={onClose}>
      <p>{importing.body}</p>
      {progress ? (
        <div class="progress">
          <progress max={progress.total} value={progress.done} aria-label={importing.progress} />
          <p>{importing.working(progress.done, progress.total)}</p>
          <button type="button" onClick={() => stop.current?.abort()}>
            {words.cancel}
          </button>
        </div>
      ) : (
        <div class="choices">
          <label class="button primary">
            {importing.choose}
            <input
              type="file"
              class="hidden"
              accept=".jsonl,.ndjson,.json,.txt"
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? [];
                if (file) void run(async () => draftsOf(await file.text()));
              }}
            />
          </label>
          <button type="button" onClick={() => void many()}>
            {importing.many}
          </button>
        </div>
      )}
      <p role="status" class="result">
        {result}
      </p>
    </Dialog>
  );
}

/** All drafts up to the first invalid line. */
function collected(found: Generator<Draft>): { drafts: Draft[]; bad: BadLine | undefined } {
  const drafts: Draft[] = [];
  try {
    for (const draft of found) drafts.push(draft);
    return { drafts, bad: undefined };
  } catch (error) {
    if (!(error instanceof BadLine)) throw error;
    return { drafts, bad: error };
  }
}

function resultOf(
  texts: Texts["importing"],
  result: { added: number; skipped: number; bad: BadLine | undefined; cancelled: boolean },
): string {
  if (result.cancelled) return texts.cancelled(result.added);
  const done = texts.done(result.added, result.skipped);
  return result.bad ? `${texts.badLine(result.bad.line)} ${done}` : done;
}
