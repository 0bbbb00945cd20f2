// A file: edited in place, linted while typing, saved with a version check, with its earlier versions.

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { FileWarning, MemoryFile } from "../../wire/files.js";
import { useInside } from "../inside.js";
import { useLive } from "../parts/live.js";
import { Answer, Empty, Failed } from "../parts/state.js";

export function Editor({ path }: { path: string }): VNode {
  const file = useLive(`file/${path}`, (memory) => memory.files.read(path));
  return <Answer of={file}>{(found) => <Draft path={path} stored={found} />}</Answer>;
}

interface DraftProps {
  path: string;
  /** The current file; `null` if it does not exist. */
  stored: MemoryFile | null;
}

function Draft({ path, stored }: DraftProps): VNode {
  const { say, memory, announce, time } = useInside();
  /** The version that the draft is based on, and the draft. */
  const [seen, setSeen] = useState(stored);
  const [text, setText] = useState(stored?.text ?? "");
  const [error, setError] = useState<unknown>();
  const [isConflict, setConflict] = useState(false);
  const [marks, setMarks] = useState(0);
  const isChanged = text !== (seen?.text ?? "");
  /** The text of the last save: until it is read again, it is no change of others. */
  const [passed, setPassed] = useState<string | null>();
  const found = stored?.hash ?? null;
  const isBehind = found !== (seen?.hash ?? null) && found !== passed;
  // Without a draft the editor follows the file.
  useEffect(() => {
    if (isBehind && !isChanged) take(stored);
  }, [found]);
  const warnings = useLive(JSON.stringify(["lint", path, text]), (memory) => memory.files.lint(path, text));

  function take(file: MemoryFile | null): void {
    setSeen(file);
    setText(file?.text ?? "");
    setConflict(false);
    setError(undefined);
  }

  async function tried(work: () => Promise<string>): Promise<void> {
    try {
      setError(undefined);
      setMarks(0);
      announce(await work());
    } catch (reason) {
      if ((reason as { code?: unknown }).code === "conflict") setConflict(true);
      else setError(reason);
    }
  }

  const save = () =>
    tried(async () => {
      const written = await memory.files.write(path, text, { expect: seen?.hash ?? null });
      setPassed(found);
      take(written);
      return say("saved");
    });
  const merge = () =>
    tried(async () => {
      const merged = await memory.files.merge(path, text, seen?.text ?? "");
      setPassed(found);
      take(merged.file);
      setMarks(merged.conflicts.length);
      return say("saved");
    });

  return (
    <div class="editor">
      <h2 class="line">
        <span>{path}</span>
        <span class="dim small">
          {seen ? say("version", { n: seen.version, at: time(seen.updatedAt) }) : say("isNew")}
        </span>
      </h2>
      <textarea
        aria-label={path}
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="actions">
        <button type="button" class="main" disabled={!isChanged && seen !== null} onClick={save}>
          {say("save")}
        </button>
        <button type="button" disabled={!isChanged} onClick={() => take(stored)}>
          {say("undo")}
        </button>
        {isChanged && <span class="dim">{say("unsaved")}</span>}
      </div>
      {(isConflict || (isBehind && isChanged)) && (
        <div class="failed" role="alert">
          <p>{say(stored ? "conflict" : "conflictGone")}</p>
          <div class="actions">
            <button type="button" onClick={merge}>
              {say("mergeBoth")}
            </button>
            <button type="button" onClick={() => take(stored)}>
              {say("takeTheirs")}
            </button>
          </div>
        </div>
      )}
      {marks > 0 && (
        <p class="failed" role="alert">
          {say("mergeMarks", { n: marks })}
        </p>
      )}
      <Failed error={error} />
      <Lint warnings={warnings.value ?? []} />
      <Failed error={warnings.error} />
      {seen && <Versions path={path} now={seen} />}
    </div>
  );
}

function Lint({ warnings }: { warnings: FileWarning[] }): VNode {
  const { say } = useInside();
  return (
    <section class="lint" aria-label={say("lint")} aria-live="polite">
      <h3>{warnings.length === 0 ? say("lintClean") : say("lintCount", { n: warnings.length })}</h3>
      <ul class="items">
        {warnings.map(({ rule, line, message }, at) => (
          <li key={at}>
            <span class="figure dim">{say("lineNumber", { n: line })}</span>
            <span class="tag">{rule}</span>
            <span class="grow">{message}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The versions of the file, and the changes of each. */
function Versions({ path, now }: { path: string; now: MemoryFile }): VNode {
  const { say } = useInside();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say("history")}</summary>
      {isOpen && <Changes path={path} now={now} />}
    </details>
  );
}

function Changes({ path, now }: { path: string; now: MemoryFile }): VNode {
  const { say, time } = useInside();
  const past = useLive(`history/${path}/${now.hash}`, (memory) => memory.files.history(path));
  return (
    <Answer of={past}>
      {(versions) => {
        const all = [...versions, now].reverse();
        if (versions.length === 0) return <Empty>{say("noHistory")}</Empty>;
        return all.map((file, at) => (
          <section key={file.version} class="version">
            <h4>{say("version", { n: file.version, at: time(file.updatedAt) })}</h4>
            <Difference before={all[at + 1]?.text ?? ""} after={file.text} />
          </section>
        ));
      }}
    </Answer>
  );
}

const SIGNS = { same: " ", removed: "-", added: "+" } as const;
const CLASSES = { same: "same", removed: "minus", added: "plus" } as const;

function Difference({ before, after }: { before: string; after: string }): VNode {
  const found = useLive(JSON.stringify(["diff", before, after]), (memory) =>
    memory.files.diff(before, after),
  );
  return (
    <Answer of={found}>
      {(lines) => (
        <pre class="diff" tabIndex={0}>
          {lines.map(({ mark, text }, line) => (
            <span key={line} class={CLASSES[mark]}>
              {`${SIGNS[mark]} ${text}\n`}
            </span>
          ))}
        </pre>
      )}
    </Answer>
  );
}
