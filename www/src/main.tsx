// The page's beginning: draws it at once, opens the memory, and only then loads what can wait.

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
// From here on everything can be used; the benchmark and the tests look for this moment.
performance.mark("interactive");
document.documentElement.dataset.ready = "yes";
await idle();
await app.settle();
document.documentElement.dataset.settled = "yes";

/** When the browser has nothing better to do; not every browser can say. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve);
  });
}
