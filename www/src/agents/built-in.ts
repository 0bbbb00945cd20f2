// The built-in model of some browsers.

import { textOf } from "keepsake";
import { preferences } from "../shell/preferences.js";
import { type Agent, AgentFailure } from "./agent.js";
import { BUDGET, instructions, recordTurn, referencesOf } from "./prompt.js";

/** The availability of the built-in model, in the browser's terms. */
export type Availability = "unavailable" | "downloadable" | "downloading" | "available";

/** The languages of answers. Browsers support few; of the page's languages, English and Japanese. */
interface Outputs {
  expectedOutputs: { type: "text"; languages: string[] }[];
}

function outputs(): Outputs {
  const { language } = preferences.value;
  return { expectedOutputs: [{ type: "text", languages: [language === "ja" ? "ja" : "en"] }] };
}

/** The used part of the Prompt API, which TypeScript's library does not declare yet. */
interface BuiltInModel {
  availability(options: Outputs): Promise<Availability>;
  create(
    options: Outputs & {
      initialPrompts: { role: "system" | "user" | "assistant"; content: string }[];
      signal: AbortSignal;
    },
  ): Promise<{
    promptStreaming(text: string, options: { signal: AbortSignal }): ReadableStream<string>;
    destroy(): void;
  }>;
}

function builtIn(): BuiltInModel | undefined {
  return (globalThis as { LanguageModel?: BuiltInModel }).LanguageModel;
}

/** Whether this browser has a built-in model. */
export async function builtInAvailability(): Promise<Availability> {
  return (
    (await builtIn()
      ?.availability(outputs())
      .catch(() => "unavailable" as const)) ?? "unavailable"
  );
}

/** Half of the usual budget: built-in models are small. */
const SMALL_BUDGET = BUDGET / 2;

/** Answers with the built-in model. */
export function builtInAgent(): Agent {
  return async function* (turn) {
    const api = builtIn();
    if (!api || (await builtInAvailability()) === "unavailable") throw new AgentFailure("built-in-absent");
    const { prompt, messages, used } = await turn.session.context({
      budget: SMALL_BUDGET,
      system: instructions(turn),
    });
    yield { references: await referencesOf(turn, used) };
    const said = messages.flatMap((message) => {
      const { role } = message;
      return role === "user" || role === "assistant" ? [{ role, content: textOf(message) }] : [];
    });
    const model = await api.create({
      ...outputs(),
      initialPrompts: [{ role: "system", content: prompt }, ...said.slice(0, -1)],
      signal: turn.signal,
    });
    try {
      const reader = model.promptStreaming(turn.text, { signal: turn.signal }).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        if (value) yield { text: value };
      }
    } finally {
      model.destroy();
    }
    recordTurn(turn);
  };
}
