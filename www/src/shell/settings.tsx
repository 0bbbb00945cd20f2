// The settings: the agent, language and theme, browser features, and the memory as a whole.

import { useEffect, useId, useState } from "preact/hooks";
import { type Availability, builtInAvailability } from "../agents/built-in.js";
import { isLanguage, LANGUAGES } from "../text/language.js";
import { Abilities } from "./abilities.js";
import { useApp, useTexts } from "./context.js";
import { Dialog } from "./dialog.js";
import type { Erasing } from "./erase.js";
import { type AgentChoice, keys, prefer, preferences, setKey, type Theme } from "./preferences.js";
import { useStore } from "./store.js";

const AGENTS: readonly AgentChoice[] = ["demo", "openai", "anthropic", "built-in"];
const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** The settings. */
export function SettingsDialog({ onClose }: { onClose(): void }) {
  const { settings } = useTexts();
  return (
    <Dialog title={settings.title} onClose={onClose}>
      <WhoAnswers />
      <Look />
      <section>
        <h3>{settings.browser}</h3>
        <Abilities />
      </section>
      <Data onClose={onClose} />
    </Dialog>
  );
}

function WhoAnswers() {
  const { settings } = useTexts();
  const { agent } = useStore(preferences);
  const [builtIn, tell] = useState<Availability | undefined>(undefined);
  const name = useId();
  useEffect(() => void builtInAvailability().then(tell), []);
  return (
    <fieldset class="agents">
      <legend>{settings.who}</legend>
      <p class="aside">{settings.whoHint}</p>
      {AGENTS.map((choice) => {
        const absent = choice === "built-in" && builtIn === "unavailable";
        const hint = absent
          ? settings.absent
          : choice === "built-in" && builtIn === "downloadable"
            ? settings.downloadable
            : settings.hints[choice];
        return (
          <div key={choice} class={choice === agent ? "agent chosen" : "agent"}>
            <label class="check">
              <input
                type="radio"
                name={name}
                checked={choice === agent}
                disabled={absent && agent !== choice}
                aria-describedby={`${name}-${choice}`}
                onChange={() => prefer({ agent: choice })}
              />
              {settings.agents[choice]}
            </label>
            <p class="aside" id={`${name}-${choice}`}>
              {hint}
            </p>
            {choice === agent && (choice === "openai" || choice === "anthropic") && <Where of={choice} />}
          </div>
        );
      })}
    </fieldset>
  );
}

/** The endpoint of a model, and its key. */
function Where({ of }: { of: "openai" | "anthropic" }) {
  const { settings } = useTexts();
  const chosen = useStore(preferences);
  const { [of]: key } = useStore(keys);
  const { [of]: endpoint } = chosen;
  const id = useId();
  return (
    <div class="fields">
      <label for={`${id}-url`}>{settings.url}</label>
      <input
        id={`${id}-url`}
        type="url"
        inputMode="url"
        spellcheck={false}
        autocomplete="off"
        value={endpoint.url}
        onInput={(event) => prefer({ [of]: { ...endpoint, url: event.currentTarget.value.trim() } })}
      />
      <label for={`${id}-model`}>{settings.model}</label>
      <input
        id={`${id}-model`}
        spellcheck={false}
        autocomplete="off"
        value={endpoint.model}
        onInput={(event) => prefer({ [of]: { ...endpoint, model: event.currentTarget.value.trim() } })}
      />
      <label for={`${id}-key`}>{settings.key}</label>
      <input
        id={`${id}-key`}
        type="password"
        autocomplete="off"
        value={key}
        onInput={(event) => setKey(of, event.currentTarget.value.trim())}
      />
      <label class="check wide">
        <input
          type="checkbox"
          checked={chosen.keepKeys}
          onChange={(event) => prefer({ keepKeys: event.currentTarget.checked })}
        />
        {settings.keepKeys}
      </label>
      <p class="aside wide">{settings.keepKeysHint}</p>
    </div>
  );
}

function Look() {
  const { settings } = useTexts();
  const { language, theme, singleKeys } = useStore(preferences);
  const id = useId();
  return (
    <section>
      <h3>{settings.look}</h3>
      <div class="fields">
        <label for={`${id}-language`}>{settings.language}</label>
        <select
          id={`${id}-language`}
          value={language}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (isLanguage(value)) prefer({ language: value });
          }}
        >
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
        <label for={`${id}-theme`}>{settings.theme}</label>
        <select
          id={`${id}-theme`}
          value={theme}
          onChange={(event) => {
            const chosen = THEMES.find((one) => one === event.currentTarget.value);
            if (chosen) prefer({ theme: chosen });
          }}
        >
          {THEMES.map((one) => (
            <option key={one} value={one}>
              {settings.themes[one]}
            </option>
          ))}
        </select>
        <label class="check wide">
          <input
            type="checkbox"
            checked={singleKeys}
            onChange={(event) => prefer({ singleKeys: event.currentTarget.checked })}
          />
          {settings.singleKeys}
        </label>
      </div>
    </section>
  );
}

/** Actions on the whole memory. */
function Data({ onClose }: { onClose(): void }) {
  const app = useApp();
  const { settings, empty } = useTexts();
  const [asking, ask] = useState(false);
  return (
    <section>
      <h3>{settings.data}</h3>
      <div class="choices">
        <button type="button" onClick={() => app.screen.set({ overlay: "import" })}>
          {settings.importData}
        </button>
        <button
          type="button"
          onClick={() => {
            onClose();
            void app.loadSample();
          }}
        >
          {settings.sample}
        </button>
        <button type="button" onClick={() => app.screen.set({ overlay: undefined, tour: 0 })}>
          {empty.tour}
        </button>
        <button type="button" class="danger" onClick={() => ask(true)}>
          {settings.erase}
        </button>
      </div>
      {asking && <EraseDialog onClose={() => ask(false)} onErased={onClose} />}
    </section>
  );
}

function EraseDialog({ onClose, onErased }: { onClose(): void; onErased(): void }) {
  const app = useApp();
  const { settings, app: words } = useTexts();
  const [progress, tell] = useState<Erasing | undefined>(undefined);
  const erase = async () => {
    tell({ done: 0 });
    await app.erase(tell).catch((error) => app.talk.failed(error));
    onErased();
  };
  const part = progress?.total ? { max: progress.total, value: progress.done } : {};
  return (
    // It stays open while it erases: nothing else would say that the page is at work.
    <Dialog
      title={progress ? settings.erasingTitle : settings.eraseTitle}
      locked={progress !== undefined}
      onClose={onClose}
    >
      {progress ? (
        <div class="progress">
          <progress {...part} aria-label={settings.erasingTitle} />
          <p role="status">{settings.erasing}</p>
        </div>
      ) : (
        <>
          <p>{settings.eraseBody}</p>
          <div class="choices end">
            <button type="button" onClick={onClose}>
              {words.cancel}
            </button>
            <button type="button" class="danger" onClick={() => void erase()}>
              {settings.eraseNow}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
