// One entry: its text and facts, its earlier versions, a form to change it, and its deletion.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { MemoryEntryWithContent, Metadata } from "../../wire/types.js";
import { useInside } from "../inside.js";
import { Confirm } from "../parts/confirm.js";
import { useLive } from "../parts/live.js";
import { Markdown } from "../parts/markdown.js";
import { OutsideRef, SessionRef } from "../parts/ref.js";
import { written } from "../parts/said.js";
import { Answer, Empty, Failed } from "../parts/state.js";
import { Tags } from "../parts/tags.js";

type Entry = MemoryEntryWithContent<Metadata, string>;

interface EntryProps {
  id: string;
  onDeleted(): void;
}

export function EntryDetails({ id, onDeleted }: EntryProps): VNode {
  const { say, memory, announce } = useInside();
  const [mode, setMode] = useState<"read" | "change" | "delete">("read");
  const [error, setError] = useState<unknown>();
  const box = useRef<HTMLDivElement>(null);
  const found = useLive(`entry/${id}`, async (memory) => {
    const [entry, before] = await Promise.all([memory.get(id), memory.history(id)]);
    return { entry, before };
  });
  // The button that was pressed is gone: the focus goes to what replaces it.
  const last = useRef(mode);
  useEffect(() => {
    if (last.current !== mode) box.current?.querySelector<HTMLElement>("textarea, .confirm button")?.focus();
    if (last.current !== mode && mode === "read") box.current?.querySelector<HTMLElement>("button")?.focus();
    last.current = mode;
  }, [mode]);

  const back = () => {
    setError(undefined);
    setMode("read");
  };

  async function tried(work: () => Promise<unknown>, result: string): Promise<void> {
    try {
      setError(undefined);
      await work();
      setMode("read");
      announce(result);
    } catch (reason) {
      setError(reason);
    }
  }

  return (
    <Answer of={found}>
      {({ entry, before }) => {
        if (!entry) return <Empty>{say("gone")}</Empty>;
        return (
          <div ref={box}>
            {mode === "change" ? (
              <Form
                entry={entry}
                onSave={(changes) => tried(() => memory.update(id, changes), say("saved"))}
                onBack={back}
              />
            ) : (
              <>
                <div class="content">
                  <Markdown text={entry.content} />
                </div>
                {mode === "read" && (
                  <div class="actions">
                    <button type="button" onClick={() => setMode("change")}>
                      {say("change")}
                    </button>
                    <button type="button" class="danger" onClick={() => setMode("delete")}>
                      {say("delete")}
                    </button>
                  </div>
                )}
              </>
            )}
            {mode === "delete" && (
              <Confirm
                name={say("deleteNow")}
                onConfirm={() =>
                  tried(async () => {
                    await memory.delete(id);
                    onDeleted();
                  }, say("deleted"))
                }
                onBack={back}
              >
                <p>{say("deleteWhy")}</p>
              </Confirm>
            )}
            <Failed error={error} />
            <Facts entry={entry} />
            {before.length > 0 && (
              <details>
                <summary>{say("versions", { n: before.length })}</summary>
                {before.map(({ version, content, tags, updatedAt }) => (
                  <Version
                    key={version}
                    at={updatedAt}
                    text={content}
                    onRestore={() => tried(() => memory.update(id, { content, tags }), say("saved"))}
                  />
                ))}
              </details>
            )}
          </div>
        );
      }}
    </Answer>
  );
}

function Version({ at, text, onRestore }: { at: string; text: string; onRestore(): void }): VNode {
  const { say, time } = useInside();
  return (
    <div class="quote">
      <p class="dim">{time(at)}</p>
      <Markdown text={text} />
      <button type="button" onClick={onRestore}>
        {say("restore")}
      </button>
    </div>
  );
}

interface Changes {
  content?: string;
  tags?: string[];
}

interface FormProps {
  entry: Entry;
  onSave(changes: Changes): void;
  onBack(): void;
}

/** The form of an entry. Only changed fields are written. */
function Form({ entry, onSave, onBack }: FormProps): VNode {
  const { say } = useInside();
  /** The version that the form was opened on. */
  const [seen] = useState(entry);
  const [content, setContent] = useState(entry.content);
  const [tagged, setTagged] = useState(entry.tags.join(", "));
  const tags = tagged.split(/[,、，]/).flatMap((tag) => tag.trim() || []);
  const changes: Changes = {
    ...(content === seen.content ? {} : { content }),
    ...(tags.join() === seen.tags.join() ? {} : { tags }),
  };
  return (
    <form
      class="confirm"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(changes);
      }}
    >
      <label>
        {say("content")}
        <textarea rows={5} value={content} onInput={(event) => setContent(event.currentTarget.value)} />
      </label>
      <label>
        {say("tags")}
        <input value={tagged} onInput={(event) => setTagged(event.currentTarget.value)} />
      </label>
      {entry.version !== seen.version && (
        <p class="failed" role="alert">
          {say("changedMeanwhile")}
        </p>
      )}
      <div class="actions">
        <button
          type="submit"
          class="main"
          disabled={Object.keys(changes).length === 0 || content.trim() === ""}
        >
          {say("save")}
        </button>
        <button type="button" onClick={onBack}>
          {say("cancel")}
        </button>
      </div>
    </form>
  );
}

function Facts({ entry }: { entry: Entry }): VNode {
  const { say, named, label, hints, time, percent } = useInside();
  const { session, source } = entry;
  const facts: [name: string, value: VNode | string | undefined][] = [
    [say("id"), hints ? entry.id : undefined],
    [say("namespace"), named(entry.namespace)],
    [say("importance"), percent(entry.importance)],
    [say("trust"), say(`trust_${entry.trust}`)],
    [say("happened"), time(entry.at)],
    [say("written"), time(entry.updatedAt)],
    [say("expiresAt"), time(entry.expiresAt)],
    [say("key"), hints ? entry.key : undefined],
    [say("speaker"), entry.speaker && label(entry.speaker)],
    [say("agent"), entry.agent],
    [say("session"), session && <SessionRef id={session} />],
    [say("source"), source && <OutsideRef to={{ kind: "source", ref: source }}>{source}</OutsideRef>],
  ];
  return (
    <>
      <p class="facts">
        {entry.truncated && <span class="tag">{say("cut")}</span>}
        <Tags of={entry.tags} />
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
      {hints && Object.keys(entry.metadata).length > 0 && <pre class="data">{written(entry.metadata)}</pre>}
    </>
  );
}
