// Starts the page, and keeps its files for the next time without a network.

import start from "./leptos-chat.js";

await start();
await navigator.serviceWorker?.register("sw.js", { type: "module" });
