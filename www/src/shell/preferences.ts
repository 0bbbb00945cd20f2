// What the user chose on this device. The page works the same where nothing can be kept.

import { isLanguage, type Language, languageOf } from "../text/language.js";
import { Store } from "./store.js";

/** Who answers. */
export type AgentChoice = "demo" | "openai" | "anthropic" | "built-in";

/** How light or dark the page is. */
export type Theme = "system" | "light" | "dark";

/** Where a model is asked. */
export interface Endpoint {
  /** The address that the API's paths come behind. */
  url: string;
  /** The model's name. */
  model: string;
}

/** What the user chose. */
export interface Preferences {
  /** Default: the browser's. */
  language: Language;
  /** Default: as the system has it. */
  theme: Theme;
  /** Whether single letters are shortcuts. Default: they are. */
  singleKeys: boolean;
  /** Default: the demo agent. */
  agent: AgentChoice;
  /** An endpoint that speaks as OpenAI's does. */
  openai: Endpoint;
  /** An endpoint that speaks as Anthropic's does. */
  anthropic: Endpoint;
  /** Whether keys are kept on this device. Default: they are forgotten with the page. */
  keepKeys: boolean;
  /** How much of the width the inspector has, in percent. Default: 45. */
  split: number;
  /** The conversation that was open last. Default: none. */
  session: string | undefined;
}

/** The keys of the two kinds of endpoints. They are in no preference unless the user says so. */
export const keys = new Store<{ openai: string; anthropic: string }>({ openai: "", anthropic: "" });

const PLACE = "keepsake-demo";
const KEYS_PLACE = "keepsake-demo-keys";

/** The least and most of the width that the inspector may have. */
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

/** An object that was kept, or nothing: what others wrote there is no reason not to open. */
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
    // No storage, or a full one: the choice holds as long as the page.
  }
}

function endpointOf(value: unknown, otherwise: Endpoint): Endpoint {
  const { url, model } = (typeof value === "object" && value !== null ? value : {}) as Partial<Endpoint>;
  return {
    url: typeof url === "string" ? url : otherwise.url,
    model: typeof model === "string" ? model : otherwise.model,
  };
}

/** Only what is of the right kind is taken from the device. */
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

/** A width of the inspector that leaves room for both. */
export function withinSplit(percent: number): number {
  return Math.min(SPLIT.max, Math.max(SPLIT.min, Math.round(percent)));
}

/** The preferences of this device. */
export const preferences = new Store<Preferences>(read());

/** Changes preferences, and keeps them. */
export function prefer(changes: Partial<Preferences>): void {
  preferences.set(changes);
  keep(PLACE, preferences.value);
  keepKeys();
}

/** Changes a key; it is kept only if the user said so. */
export function setKey(kind: "openai" | "anthropic", key: string): void {
  keys.set({ [kind]: key });
  keepKeys();
}

function keepKeys(): void {
  keep(KEYS_PLACE, preferences.value.keepKeys ? keys.value : undefined);
}

/** Forgets everything that the page keeps beside the memory. */
export function forgetPreferences(): void {
  keep(PLACE, undefined);
  keep(KEYS_PLACE, undefined);
  keys.set({ openai: "", anthropic: "" });
  // What the page looks like just now is no secret, and nobody wants it to change under their hands.
  const { language, theme } = preferences.value;
  preferences.set({ ...defaults(), language, theme });
}

/** Takes the keys from the device, if they were kept there. */
export function loadKeys(): void {
  if (!preferences.value.keepKeys) return;
  const found = kept(KEYS_PLACE);
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  keys.set({ openai: text(found.openai), anthropic: text(found.anthropic) });
}
