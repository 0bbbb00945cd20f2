// One message: its author, text and references. All content is rendered as text.

import { type Json, type Message, textOf } from "keepsake";
import type { Reference } from "../agents/agent.js";
import { useApp, useTexts } from "../shell/context.js";
import { Icon } from "../shell/icons.js";
import { type AgentChoice, preferences } from "../shell/preferences.js";
import { whenIn } from "../text/when.js";
import type { Reply } from "./conversation.js";
import { memo } from "./memo.js";

const AGENTS: readonly AgentChoice[] = ["demo", "openai", "anthropic", "built-in"];

/** A stored message. */
export const MessageRow = memo(function MessageRow({ message }: { message: Message }) {
  const app = useApp();
  const { chat, sessions } = useTexts();
  const { language } = preferences.value;
  const { role, metadata, at, id } = message;
  const fork = () => {
    const { sessions: all, current } = app.talk.store.value;
    const title = all?.find((session) => session.id === current)?.title ?? sessions.untitled;
    void app.talk.fork(id, chat.forkTitle(title));
  };
  const agent = AGENTS.find((name) => name === metadata?.agent) ?? "demo";
  return (
    <article class={`message ${role}`} data-row={id}>
      <header>
        <span class="who">{role === "user" ? chat.you : chat.agents[agent]}</span>
        <time dateTime={at} title={new Date(at).toLocaleString(language)}>
          {whenIn(language, at)}
        </time>
        <button
          type="button"
          class="icon-button small"
          aria-label={chat.fork}
          title={chat.fork}
          onClick={fork}
        >
          <Icon name="fork" />
        </button>
      </header>
      <div class="said">{textOf(message)}</div>
      {metadata?.stopped === true && <p class="aside">{chat.stopped}</p>}
      {metadata?.cut === true && <p class="aside">{chat.cut}</p>}
      <References references={referencesOf(metadata?.references)} />
    </article>
  );
});

/** A pending reply. */
export function ReplyRow({ reply }: { reply: Reply }) {
  const { chat } = useTexts();
  return (
    <article class="message assistant coming" data-row="coming">
      <header>
        <span class="who">{chat.agents[preferences.value.agent]}</span>
        <span class="aside">{chat.answering}</span>
      </header>
      <div class="said">
        {reply.text}
        <span class="cursor" aria-hidden="true" />
      </div>
    </article>
  );
}

function References({ references }: { references: Reference[] }) {
  const app = useApp();
  const { chat } = useTexts();
  if (references.length === 0) return null;
  return (
    <div class="references" data-tour="references">
      <span class="aside">{chat.references}</span>
      <ol aria-label={chat.references}>
        {references.map((reference, at) => (
          <li key={`${reference.kind}/${reference.ref}`}>
            <button
              type="button"
              title={chat.reference(at + 1, reference.text)}
              onClick={() => app.inspect(reference)}
            >
              <span class="number">{at + 1}</span>
              <span class="what">{reference.text}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The references of a message. Data of other origin is ignored. */
function referencesOf(value: Json | undefined): Reference[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => {
    if (typeof item !== "object" || item === null || Array.isArray(item)) return [];
    const { ref, kind, text, session } = item;
    const whole = typeof ref === "string" && typeof kind === "string" && typeof text === "string";
    const where = typeof session === "string" ? session : undefined;
    return whole ? [{ ref, kind: kind as Reference["kind"], text, session: where }] : [];
  });
}
