// Lets the page start without a network.

/** Has a service worker keep the files that this page has loaded so far. Those that follow it sees by itself. */
export async function keepForOffline(): Promise<void> {
  await navigator.serviceWorker.register("./sw.js");
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const kept = new Promise((resolve) => {
    port1.onmessage = resolve;
  });
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  // The manifest and the icons, which are no resources of the page.
  const linked = [...document.querySelectorAll<HTMLLinkElement>("link[href]")].map(({ href }) => href);
  active?.postMessage([...new Set([...loaded, ...linked])], [port2]);
  await kept;
}
