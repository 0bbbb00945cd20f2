// The chat: messages, errors, and the message field.

import { useApp, useTexts } from "../shell/context.js";
import { Icon } from "../shell/icons.js";
import { useStore } from "../shell/store.js";
import { Composer } from "./composer.js";
import type { Problem } from "./conversation.js";
import { EmptyState } from "./empty.js";
import { MessageLog } from "./log.js";

/** The chat. */
export function ChatPanel() {
  const app = useApp();
  const texts = useTexts();
  const { messages, reply, loaded, problem } = useStore(app.talk.store);
  const empty = loaded && messages.length === 0 && !reply;
  return (
    <>
      {!loaded && <p class="waiting">{texts.chat.loading}</p>}
      {empty ? <EmptyState /> : <MessageLog />}
      {problem && <ProblemNote problem={problem} onDismiss={() => app.talk.dismiss()} />}
      <Composer />
    </>
  );
}

function ProblemNote({ problem, onDismiss }: { problem: Problem; onDismiss(): void }) {
  const { failures, problems } = useTexts();
  const text = problem.of === "agent" ? failures[problem.reason] : problems.memory(problem.detail);
  return (
    <div class="problem" role="alert">
      <p>
        {text}
        {problem.of === "agent" && problem.detail && <q>{problem.detail}</q>}
      </p>
      <button type="button" class="icon-button" aria-label={problems.dismiss} onClick={onDismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}
