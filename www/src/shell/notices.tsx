// Important notices: no storage, a full storage, a newer page.

import { useState } from "preact/hooks";
import { useApp, useTexts } from "./context.js";
import { Icon } from "./icons.js";
import { useStore } from "./store.js";

/** The notices, if there are any. */
export function Notices() {
  const app = useApp();
  const { notice } = useTexts();
  const [seen, dismiss] = useState(false);
  const { memory, failed, trouble } = useStore(app.screen);
  if (failed !== undefined) {
    return (
      <div class="notice" role="alert">
        <p>{notice.openFailed(failed)}</p>
        <button type="button" onClick={() => location.reload()}>
          {notice.reload}
        </button>
      </div>
    );
  }
  if (trouble) {
    return (
      <div class="notice" role="alert">
        <p>{notice[trouble]}</p>
        {trouble === "superseded" && (
          <button type="button" onClick={() => location.reload()}>
            {notice.reload}
          </button>
        )}
      </div>
    );
  }
  if (!memory || memory.persistent || seen) return null;
  return (
    <div class="notice" role="alert">
      <p>{notice.notPersistent(memory.storageProblem ?? "")}</p>
      <button type="button" class="icon-button" aria-label={notice.dismiss} onClick={() => dismiss(true)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
