// An empty session: how to begin.

import { useApp, useTexts } from "../shell/context.js";
import { focusField } from "../shell/shortcuts.js";
import { useStore } from "../shell/store.js";

/** The content of an empty session: with an empty memory, ways to begin; otherwise questions to ask. */
export function EmptyState() {
  const app = useApp();
  const { empty } = useTexts();
  const { entries, sampling } = useStore(app.screen);
  const fresh = entries === undefined || entries === 0;
  const suggest = (text: string) => {
    const field = document.getElementById("message");
    if (field instanceof HTMLTextAreaElement) field.value = text;
    focusField(app);
  };
  const suggestions = fresh ? empty.suggestions : empty.sampleQuestions;
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
