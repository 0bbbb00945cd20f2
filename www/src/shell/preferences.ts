// The user's preferences on this device. Without storage they last as long as the page.

import { isLanguage, type Language, languageOf } from "../text/language.js";
import { Store } from "./store.js";

/** The agents. */
export type AgentChoice = "demo" | "openai" | "anthropic" | "built-in";

/** The themes. */
export type Theme = "system" | "light" | "dark";

/** An endpoint. */
export interface Endpoint {
  /** The base URL of the API. */
  url: string;
  /** The model's name. */
  model: string;
}

/** The preferences. */
export interface Preferences {
  /** The language. Default: the browser's. */
  language: Language;
  /** The theme. Default: the system's. */
  theme: Theme;
  /** Whether single letters are shortcuts. Default: `true`. */
  singleKeys: boolean;
  /** The agent. Default: the demo agent. */
  agent: AgentChoice;
  /** An endpoint with OpenAI's API. */
  openai: Endpoint;
  /** An endpoint with Anthropic's API. */
  anthropic: Endpoint;
  /** Whether keys are stored on this device. Default: `false`; they are lost with the page. */
  keepKeys: boolean;
  /** The width of the inspector, in percent. Default: 45. */
  split: number;
  /** The session that was open last. Default: none. */
  session: string | undefined;
}

/** The keys of the endpoints. They are stored only if the user chooses so. */
export const keys = new Store<{ openai: string; anthropic: string }>({ openai: "", anthropic: "" });

const PLACE = "keepsake-demo";
const KEYS_PLACE = "keepsake-demo-keys";

/** The minimum and maximum width of the inspector. */
export const SPLIT = { min: 25, max: 70, step: 5 } as const;

function defaults(): Preferences {
  return {
    language: languageOf(navigator.languages),
    theme: "system",
    singleKeys: true,
    agent: "demo",
    openai: { url: "https://api.openai.com/v1", model: "gpt-5-mini" },
    anthropic: { url: "https://api.anthropic.com/v1", model: "claude-sonnet-4-5" },
    keepKeys: false,
    split: 45,
    session: undefined,
  };
}

/** A stored object, or `undefined`: invalid data must not prevent the page from opening. */
function kept(place: string): { [field: string]: unknown } {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(place) ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function keep(place: string, value: object | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // No storage, or a full one: the choice lasts as long as the page.
  }
}

function endpointOf(value: unknown, otherwise: Endpoint): Endpoint {
  const { url, model } = (typeof value === "object" && value !== null ? value : {}) as Partial<Endpoint>;
  return {
    url: typeof url === "string" ? url : otherwise.url,
    model: typeof model === "string" ? model : otherwise.model,
  };
}

/** Takes only valid values from the device. */
function read(): Preferences {
  const [base, found] = [defaults(), kept(PLACE)];
  const oneOf = <T extends string>(value: unknown, choices: readonly T[], otherwise: T): T =>
    choices.find((choice) => choice === value) ?? otherwise;
  return {
    language: isLanguage(found.language) ? found.language : base.language,
    theme: oneOf(found.theme, ["system", "light", "dark"], base.theme),
    singleKeys: found.singleKeys !== false,
    agent: oneOf(found.agent, ["demo", "openai", "anthropic", "built-in"], base.agent),
    openai: endpointOf(found.openai, base.openai),
    anthropic: endpointOf(found.anthropic, base.anthropic),
    keepKeys: found.keepKeys === true,
    split: typeof found.split === "number" ? withinSplit(found.split) : base.split,
    session: typeof found.session === "string" ? found.session : undefined,
  };
}

/** A width of the inspector that leaves space for both. */
export function withinSplit(percent: number): number {
  return Math.min(SPLIT.max, Math.max(SPLIT.min, Math.round(percent)));
}

/** The preferences of this device. */
export const preferences = new Store<Preferences>(read());

/** Changes and stores preferences. */
export function prefer(changes: Partial<Preferences>): void {
  preferences.set(changes);
  keep(PLACE, preferences.value);
  keepKeys();
}

/** Changes a key; it is stored only if the user chose so. */
export function setKey(kind: "openai" | "anthropic", key: string): void {
  keys.set({ [kind]: key });
  keepKeys();
}

function keepKeys(): void {
  keep(KEYS_PLACE, preferences.value.keepKeys ? keys.value : undefined);
}

/** Deletes all data of the page outside the memory. */
export function forgetPreferences(): void {
  keep(PLACE, undefined);
  keep(KEYS_PLACE, undefined);
  keys.set({ openai: "", anthropic: "" });
  // The look stays: it is no secret, and should not change unexpectedly.
  const { language, theme } = preferences.value;
  preferences.set({ ...defaults(), language, theme });
}

/** Deletes stored keys from the device. */
export function loadKeys(): void {
  if (!preferences.value.keepKeys) return;
  const found = kept(KEYS_PLACE);
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  keys.set({ openai: text(found.openai), anthropic: text(found.anthropic) });
}
