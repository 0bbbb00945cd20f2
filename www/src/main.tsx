// The start of the page: renders at once, opens the memory, and then loads the rest.

import "./styles/base.css";
import "./styles/layout.css";
import "./styles/chat.css";
import "./styles/dialogs.css";
import "./styles/tour.css";
import { render } from "preact";
import { App } from "./shell/app.js";
import { AppContext } from "./shell/context.js";
import { Page } from "./shell/page.js";

const app = new App();
const root = document.getElementById("root");
if (!root) throw new Error("the page has no root");
render(
  <AppContext.Provider value={app}>
    <Page />
  </AppContext.Provider>,
  root,
);

await app.open();
// From here on the page is usable; the benchmark and the tests wait for this mark.
performance.mark("interactive");
document.documentElement.dataset.ready = "yes";
await idle();
await app.settle();
document.documentElement.dataset.settled = "yes";

/** Resolves when the browser is idle; not every browser reports that. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve);
  });
}
