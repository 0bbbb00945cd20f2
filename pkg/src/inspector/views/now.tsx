// Now: the content of the next prompt, its budget, and the source of each part.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ContextKind, ContextLeft, ContextUsed } from "../../wire/context.js";
import type { Message } from "../../wire/messages.js";
import type { Recall } from "../../wire/recall.js";
import type { SessionInfo } from "../../wire/sessions.js";
import { type AnyMemory, useInside } from "../inside.js";
import { Bar, Legend, type Part } from "../parts/bar.js";
import { useLive } from "../parts/live.js";
import { Ref } from "../parts/ref.js";
import { inShort, Said, saidIn } from "../parts/said.js";
import { Answer, Empty } from "../parts/state.js";
import type { Target } from "../targets.js";

const KINDS: readonly ContextKind[] = [
  "system",
  "instruction",
  "profile",
  "summary",
  "turn",
  "skill",
  "document",
  "memory",
];
const MOST = 32_000;
const LEAST = 100;

export function NowView(): VNode {
  const { say, session } = useInside();
  const sessions = useLive("sessions", (memory) => memory.sessions());
  return (
    <Answer of={sessions}>
      {(all) =>
        all.length === 0 && session === undefined ? (
          <Empty call="memory.session(id).append(…)">{say("noSessions")}</Empty>
        ) : (
          <Prompt sessions={all} />
        )
      }
    </Answer>
  );
}

function Prompt({ sessions }: { sessions: SessionInfo[] }): VNode {
  const { say, number, session, query: given } = useInside();
  const [chosen, setChosen] = useState<string>();
  const [typed, setTyped] = useState<string>();
  const [budget, setBudget] = useState(8_000);
  const id = chosen ?? session ?? sessions[0]?.id ?? "";
  const query = typed ?? given ?? "";
  const prompt = useLive(JSON.stringify([id, query, budget]), (memory) =>
    promptOf(memory, id, query, budget),
  );
  const known = sessions.some((one) => one.id === id);
  return (
    <>
      <form class="controls" onSubmit={(event) => event.preventDefault()}>
        <label>
          {say("session")}
          <select value={id} onChange={(event) => setChosen(event.currentTarget.value)}>
            {!known && <option value={id}>{id}</option>}
            {sessions.map((one) => (
              <option key={one.id} value={one.id}>
                {inShort(one.title ?? one.id, 60)}
              </option>
            ))}
          </select>
        </label>
        <label class="wide">
          {say("query")}
          <input
            type="search"
            value={query}
            placeholder={say("queryHint")}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <label class="wide">
          <span>
            {say("budget")} <b class="figure">{say("tokens", { n: budget })}</b>
          </span>
          <input
            type="range"
            min={LEAST}
            max={MOST}
            step={100}
            value={budget}
            aria-valuetext={say("tokens", { n: budget })}
            onInput={(event) => setBudget(Number(event.currentTarget.value))}
          />
        </label>
      </form>
      <Answer of={prompt}>
        {({ context, origins, budget: within }) => {
          const sums = KINDS.map((kind) => context.used.filter((item) => item.kind === kind)).map((items) =>
            items.reduce((sum, { tokens }) => sum + tokens, 0),
          );
          const counted = sums.reduce((all, sum) => all + sum, 0);
          const parts: Part[] = KINDS.map((kind, at) => ({
            name: say(`kind_${kind}`),
            value: sums[at] as number,
            tone: at,
          }));
          parts.push({ name: say("frame"), value: Math.max(0, context.tokens - counted), tone: 8 });
          const there = parts.filter(({ value }) => value > 0);
          return (
            <>
              <section class="card" aria-label={say("budget")}>
                <div class="figures" data-tokens={context.tokens} data-budget={within}>
                  <div>
                    <b class="big figure">{number(context.tokens)}</b> {say("used")}
                  </div>
                  <div>
                    <b class="big figure">{number(Math.max(0, within - context.tokens))}</b> {say("left")}
                  </div>
                </div>
                <Bar parts={parts} total={within} label={say("budget")} format={(value) => number(value)} />
                <Legend parts={there}>{(at) => number(there[at]?.value ?? 0)}</Legend>
              </section>
              <div class="columns">
                <section
                  class="card tall"
                  tabIndex={0}
                  aria-label={say("inPrompt", { n: context.used.length })}
                >
                  <h2>{say("inPrompt", { n: context.used.length })}</h2>
                  <Items items={context.used} origins={origins} />
                  {context.left.length > 0 && (
                    <>
                      <h2>{say("leftOut", { n: context.left.length })}</h2>
                      <Items items={context.left} origins={origins} />
                    </>
                  )}
                </section>
                <section class="card tall" tabIndex={0} aria-label={say("promptText")}>
                  <h2>{say("promptText")}</h2>
                  <pre class="prompt">{context.prompt || say("noPrompt")}</pre>
                  {context.messages.map((message) => (
                    <Said key={message.id} message={message} plain />
                  ))}
                </section>
              </div>
            </>
          );
        }}
      </Answer>
    </>
  );
}

/** A short label of a part of a prompt, and its location. */
interface Origin {
  text?: string | undefined;
  to?: Target | undefined;
}

/** The prompt, and the sources of everything that it names. */
async function promptOf(memory: AnyMemory, id: string, query: string, budget: number) {
  const session = memory.session(id, { compression: false });
  const context = await session.context({ budget, query: query.trim() || undefined });
  const items: (ContextUsed | ContextLeft)[] = [...context.used, ...context.left];
  const sources: Sources = { memory, session: id, query: query.trim() || lastQuestion(context.messages) };
  const found = items.map(
    async (item) => [nameOf(item), await originOf(sources, item)] satisfies [string, Origin],
  );
  return { context, origins: new Map(await Promise.all(found)), budget };
}

/** The query of a prompt that was given none. */
function lastQuestion(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === "user");
  return last ? saidIn(last) : "";
}

/** Where the parts of a prompt are looked up; the recalls at most once. */
interface Sources {
  memory: AnyMemory;
  session: string;
  query: string;
  recalls?: Promise<Recall[]>;
}

/** How many recalls are read for the texts of the few that a prompt has. */
const RECALLS = 50;

/** A memory that is no entry: something said in another conversation. Only a search tells which one. */
async function recalled(sources: Sources, ref: string): Promise<Origin> {
  sources.recalls ??= sources.memory.queryMemory(sources.query, { limit: RECALLS });
  const found = (await sources.recalls).find((recall) => recall.ref === ref);
  if (!found) return {};
  const { session, text } = found;
  return { text, to: session === undefined ? undefined : { kind: "session", id: session, item: ref } };
}

/** The values of a profile, without its field names. */
function valuesIn(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Object.values(value).map(valuesIn).join(", ");
}

const nameOf = ({ kind, ref }: ContextUsed | ContextLeft) => `${kind}/${ref}`;

/** The app's own instructions have no location here. */
async function originOf(sources: Sources, { kind, ref }: ContextUsed | ContextLeft): Promise<Origin> {
  const { memory, session: id } = sources;
  if (kind === "system") return {};
  if (kind === "profile") return { to: { kind }, text: valuesIn(await memory.profile.get()) };
  if (kind === "skill") return { to: { kind, id: ref }, text: (await memory.procedural.get(ref))?.use_when };
  const entry = kind === "memory" || kind === "document" ? await memory.get(ref) : null;
  if (entry) return { to: { kind: "entry", id: ref }, text: entry.summary };
  const to = { kind: "session", id, item: ref } as const;
  if (kind === "summary") {
    const histories = await memory.session(id).histories();
    return { to, text: histories.find((history) => history.id === ref)?.text };
  }
  // An old message may also be a memory.
  const message = await memory.session(id).message(ref);
  return message ? { to, text: saidIn(message) } : recalled(sources, ref);
}

interface ItemsProps {
  items: readonly (ContextUsed | ContextLeft)[];
  origins: ReadonlyMap<string, Origin>;
}

function Items({ items, origins }: ItemsProps): VNode {
  const { say, number, hints } = useInside();
  return (
    <ul class="items">
      {items.map((item) => {
        const { to, text } = origins.get(nameOf(item)) ?? {};
        const label = inShort(text || (hints ? item.ref : say(`kind_${item.kind}`)));
        return (
          <li key={nameOf(item)}>
            <span class={`dot tone-${KINDS.indexOf(item.kind)}`} aria-hidden="true" />
            <span class="kind">{say(`kind_${item.kind}`)}</span>
            <span class="grow">{to ? <Ref to={to}>{label}</Ref> : label}</span>
            <span class="figure dim">{"tokens" in item ? number(item.tokens) : say(`why_${item.why}`)}</span>
          </li>
        );
      })}
    </ul>
  );
}
