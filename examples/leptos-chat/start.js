// Starts the page, and keeps its files for the next time without a network.

import start from "./leptos-chat.js";

await start({ module_or_path: new URL("leptos-chat_bg.wasm", import.meta.url) });
await navigator.serviceWorker?.register("sw.js", { type: "module" });
