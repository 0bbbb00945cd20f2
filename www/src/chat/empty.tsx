// An empty session: how to begin.

import { useEffect, useState } from "preact/hooks";
import { useApp, useTexts } from "../shell/context.js";
import { focusField } from "../shell/shortcuts.js";
import { useStore } from "../shell/store.js";

/** An entry that is in the sample of every language. */
const SAMPLE_ENTRY = "sample-allergy";

/** The content of an empty session: with an empty memory, ways to begin; otherwise questions to ask. */
export function EmptyState() {
  const app = useApp();
  const { empty } = useTexts();
  const { entries, sampling, memory } = useStore(app.screen);
  const { sessions } = useStore(app.talk.store);
  const [hasSample, tell] = useState(false);
  useEffect(() => {
    // The first read of an entry needs the full module: the list of sessions has loaded it.
    if (!entries || !sessions) return;
    let gone = false;
    memory?.get(SAMPLE_ENTRY).then(
      (entry) => !gone && tell(entry !== null),
      // Without an answer only general questions are offered.
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [memory, entries, sessions]);
  const fresh = entries === undefined || entries === 0;
  const suggest = (text: string) => {
    const field = document.getElementById("message");
    if (field instanceof HTMLTextAreaElement) field.value = text;
    focusField(app);
  };
  const questions = hasSample ? [...empty.sampleQuestions, ...empty.questions] : empty.questions;
  const suggestions = fresh ? empty.suggestions : questions;
  return (
    <div class="empty">
      <img src="./icon.svg" alt="" width="56" height="56" />
      <h2>{fresh ? empty.title : empty.askTitle}</h2>
      <p>{fresh ? empty.body : empty.askBody}</p>
      {fresh && (
        <div class="choices">
          <button type="button" class="primary" disabled={sampling} onClick={() => void app.loadSample()}>
            {sampling ? empty.loadingSample : empty.sample}
          </button>
          <button type="button" onClick={() => app.screen.set({ tour: 0 })}>
            {empty.tour}
          </button>
          <button type="button" onClick={() => app.screen.set({ overlay: "import" })}>
            {empty.importFile}
          </button>
        </div>
      )}
      <h3 id="suggestions">{empty.tryThis}</h3>
      <ul class="suggestions" aria-labelledby="suggestions">
        {suggestions.map((text) => (
          <li key={text}>
            <button type="button" onClick={() => suggest(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
