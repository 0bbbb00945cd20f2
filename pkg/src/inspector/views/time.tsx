// Time: sessions, how much of each a model still sees, compressions, and the integrity of the log.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { LogVerdict } from "../../wire/log.js";
import type { Message } from "../../wire/messages.js";
import type { History, SessionInfo } from "../../wire/sessions.js";
import { type AnyMemory, useInside } from "../inside.js";
import { useLive } from "../parts/live.js";
import { Markdown } from "../parts/markdown.js";
import { OutsideRef, SessionRef } from "../parts/ref.js";
import { inShort, Said } from "../parts/said.js";
import { Answer, Empty, Failed } from "../parts/state.js";
import { TaskLine, unlessAborted, useTask } from "../parts/task.js";
import { type Stretch, stretchesOf } from "./lanes.js";
import { TimeLine } from "./time-line.js";

/** How many of the last messages are drawn. */
const MOST = 400;
/** How many links of the chain are shown. */
const LINKS = 8;

export function TimeView(): VNode {
  const { say, session, target } = useInside();
  const [chosen, setChosen] = useState<string>();
  const pointed = target?.kind === "session" ? target.id : undefined;
  useEffect(() => {
    if (pointed !== undefined) setChosen(pointed);
  }, [target]);
  const sessions = useLive("sessions", (memory) => memory.sessions());
  return (
    <>
      <LogCard />
      <Answer of={sessions}>
        {(all) => {
          if (all.length === 0) return <Empty call="memory.session(id).append(…)">{say("noSessions")}</Empty>;
          const open = all.find(({ id }) => id === (chosen ?? session)) ?? (all[0] as SessionInfo);
          return (
            <div class="sides">
              <SessionList sessions={all} open={open.id} onOpen={setChosen} />
              <SessionTime key={open.id} info={open} />
            </div>
          );
        }}
      </Answer>
    </>
  );
}

interface SessionListProps {
  sessions: SessionInfo[];
  open: string;
  onOpen(id: string): void;
}

function SessionList({ sessions, open, onOpen }: SessionListProps): VNode {
  const { say, time } = useInside();
  return (
    // Beside the element an app may have a navigation of the same name.
    <nav class="card side" aria-label={`${say("time")}: ${say("sessions")}`}>
      <h2>{say("sessions")}</h2>
      <ul class="choices">
        {sessions.map((session) => (
          <li key={session.id}>
            <button
              type="button"
              aria-current={session.id === open ? "true" : undefined}
              onClick={() => onOpen(session.id)}
            >
              <span class="name">{inShort(session.title ?? session.id, 60)}</span>
              <span class="dim">
                {say("messages", { n: session.messages })} · {time(session.updatedAt)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

async function timeOf(memory: AnyMemory, id: string) {
  const session = memory.session(id, { compression: false });
  const [page, view, histories] = await Promise.all([
    session.messages({ limit: MOST }),
    session.view(),
    session.histories(),
  ]);
  const before = page.total - page.messages.length;
  return { ...page, before, histories, stretches: stretchesOf(view, page.messages) };
}

function SessionTime({ info }: { info: SessionInfo }): VNode {
  const { say, number, hints, target } = useInside();
  const [item, setItem] = useState<string>();
  const shown = useLive(`time/${info.id}`, (memory) => timeOf(memory, info.id));
  useEffect(() => {
    if (target?.kind === "session" && target.id === info.id && target.item !== undefined)
      setItem(target.item);
  }, [target]);
  return (
    <div class="stack">
      <section class="card">
        <h2 class="line">
          <span>{inShort(info.title ?? info.id, 80)}</span>
          <OutsideRef to={{ kind: "session", ref: info.id }}>{say("openOutside")}</OutsideRef>
        </h2>
        <p class="facts dim">
          {hints && <span>{info.id}</span>}
          {info.agent !== undefined && <span>{info.agent}</span>}
          <span>{say("messages", { n: info.messages })}</span>
          <span>{say("tokens", { n: info.tokens })}</span>
          {info.forkedFrom && (
            <span>
              {say("forkedFrom")} <SessionRef id={info.forkedFrom.session} />
            </span>
          )}
        </p>
        <Answer of={shown}>
          {({ messages, before, stretches, histories }) => {
            const brackets = bracketsOf(stretches, messages, histories);
            return (
              <>
                {before > 0 && (
                  <p class="dim">
                    {say("lastOf", { shown: number(messages.length), n: before + messages.length })}
                  </p>
                )}
                <TimeLine messages={messages} stretches={stretches} open={item} onOpen={setItem} />
                <OpenMessage session={info.id} item={item} brackets={brackets} />
                <Brackets session={info.id} brackets={brackets} open={item} />
              </>
            );
          }}
        </Answer>
      </section>
      <Chain session={info.id} />
    </div>
  );
}

/** A compression: its text, and the messages that it replaces. */
interface Bracket {
  id: string;
  text: string;
  tokens: number;
  messages: number;
  at?: string;
  /** Its messages, if they are loaded; otherwise they are read. */
  originals?: Message[];
  history?: History;
}

/** The compressions in the current view, and the histories that were merged into others since. */
function bracketsOf(stretches: Stretch[], messages: Message[], histories: History[]): Bracket[] {
  const shown = stretches
    .filter(({ item }) => item.text !== undefined && item.kind !== "offload")
    .map(({ item, places }): Bracket => {
      const { ref: id, text = "", tokens } = item;
      const originals = places.flatMap((at) => messages[at] ?? []);
      return { id, text, tokens, messages: item.messages ?? 1, originals };
    });
  const written = histories.map((history): Bracket => {
    const { id, text, tokens, messages, createdAt } = history;
    return { id, text, tokens, messages, at: createdAt, history };
  });
  return [...written, ...shown.filter(({ id }) => !written.some((one) => one.id === id))];
}

interface BracketsProps {
  session: string;
  brackets: Bracket[];
  open: string | undefined;
}

/** The compressions: each opens to the messages that it replaces. */
function Brackets({ session, brackets, open }: BracketsProps): VNode {
  const { say, time, hints } = useInside();
  return (
    <>
      <h3>{say("histories", { n: brackets.length })}</h3>
      {brackets.length === 0 && <Empty>{say("noHistories")}</Empty>}
      {brackets.map(({ id, text, tokens, messages, at, originals = [], history }, index) => (
        <Details key={id} open={open === id}>
          <summary>
            <b>{hints ? id : `${say("kind_summary")} ${index + 1}`}</b>{" "}
            <span class="dim">
              {say("messages", { n: messages })} → {say("tokens", { n: tokens })}
              {at !== undefined && ` · ${time(at)}`}
            </span>
          </summary>
          <div class="quote">
            <Markdown text={text} />
          </div>
          {history ? (
            <Originals session={session} history={history} />
          ) : (
            <div class="originals" tabIndex={0} role="group" aria-label={id}>
              {originals.map((message) => (
                <Said key={message.id} message={message} />
              ))}
            </div>
          )}
        </Details>
      ))}
    </>
  );
}

/** A `details` element that a link can open. */
function Details({ open, children }: { open: boolean; children: VNode[] }): VNode {
  const [isOpen, setOpen] = useState(open);
  useEffect(() => {
    if (open) setOpen(true);
  }, [open]);
  const [summary, ...body] = children;
  return (
    <details class="bracket" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      {summary}
      {isOpen && body}
    </details>
  );
}

function Originals({ session, history }: { session: string; history: History }): VNode {
  const originals = useLive(`originals/${session}/${history.id}`, async (memory) => {
    const found: Message[] = [];
    let before: string | undefined = history.last;
    const of = memory.session(session, { compression: false });
    const last = await of.message(history.last);
    if (last) found.push(last);
    // Reads pages backwards until the first message that it replaces.
    while (before !== undefined && before !== history.first && found.length < history.messages) {
      const { messages, more }: { messages: Message[]; more: boolean } = await of.messages({
        before,
        limit: 50,
      });
      const at = messages.findIndex(({ id }) => id === history.first);
      found.unshift(...(at < 0 ? messages : messages.slice(at)));
      before = at < 0 && more ? messages[0]?.id : undefined;
    }
    return found;
  });
  return (
    <div class="originals" tabIndex={0} role="group" aria-label={history.id}>
      <Answer of={originals}>
        {(all) => all.map((message) => <Said key={message.id} message={message} />)}
      </Answer>
    </div>
  );
}

interface OpenMessageProps {
  session: string;
  item: string | undefined;
  brackets: Bracket[];
}

/** The selected message; a compression opens below. */
function OpenMessage({ session, item, brackets }: OpenMessageProps): VNode | null {
  const { say } = useInside();
  const box = useRef<HTMLDivElement>(null);
  const isBracket = brackets.some(({ id }) => id === item);
  const found = useLive(`item/${session}/${item}`, async (memory) => {
    return item === undefined || isBracket ? null : memory.session(session).message(item);
  });
  useEffect(() => {
    if (item !== undefined) box.current?.scrollIntoView({ block: "nearest" });
  }, [item, found.waiting]);
  if (item === undefined || isBracket) return null;
  return (
    <div ref={box} class="opened">
      <Answer of={found}>
        {(message) =>
          message ? (
            <>
              <Said message={message} />
              <OutsideRef to={{ kind: "message", ref: message.id, session }}>{say("openOutside")}</OutsideRef>
            </>
          ) : (
            <Empty>{say(found.waiting ? "loading" : "gone")}</Empty>
          )
        }
      </Answer>
    </div>
  );
}

/** The whole log: whether every link follows from the one before. */
function LogCard(): VNode {
  const { say, memory } = useInside();
  const task = useTask();
  const [verdict, setVerdict] = useState<LogVerdict>();
  const verify = () =>
    task.start(say("verifying"), async ({ signal }) => {
      setVerdict(undefined);
      const found = await unlessAborted(signal, memory.log.verify());
      setVerdict(found);
      return found.ok ? say("logWhole", { n: found.links }) : say("logChecked", { n: found.links });
    });
  return (
    <section class="card log" aria-label={say("log")}>
      <div class="line">
        <h2>{say("log")}</h2>
        <button type="button" disabled={task.running !== undefined} onClick={verify}>
          {say("verify")}
        </button>
      </div>
      <TaskLine task={task} />
      {verdict && !verdict.ok && (
        <p class="failed" role="alert">
          {say("logBroken", { seq: verdict.seq ?? 0, problem: verdict.problem ?? "" })}
        </p>
      )}
    </section>
  );
}

interface Link {
  seq: number;
  before: string;
  type: string;
}

/** The last links of a session in the chain. */
function Chain({ session }: { session: string }): VNode {
  const { say } = useInside();
  const links = useLive(`chain/${session}`, async (memory) => {
    const lines = (await memory.log.export(session)).trimEnd().split("\n");
    return lines.slice(-LINKS).flatMap(linkOf);
  });
  return (
    <section class="card">
      <h2>{say("frozen")}</h2>
      <Failed error={links.error} />
      <ol class="chain">
        {(links.value ?? []).map(({ seq, before, type }) => (
          <li key={seq}>
            <b class="figure">{seq}</b>
            <code>{before.slice(0, 10)}</code>
            <span class="dim">{type}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The link of a log line; `undefined` if it has none. */
function linkOf(line: string): Link[] {
  if (line === "") return [];
  const { type, link } = JSON.parse(line) as { type?: unknown; link?: { seq?: unknown; before?: unknown } };
  return typeof link?.seq === "number"
    ? [{ seq: link.seq, before: String(link.before), type: String(type) }]
    : [];
}
