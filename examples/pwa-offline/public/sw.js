// Keeps the files of the page, and answers from there when there is no network.

const CACHE = "my-app-1";
const PAGE = "./";
const PATIENCE_MS = 3000;

self.addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("my-app-") && name !== CACHE;
  const drop = async () =>
    Promise.all((await caches.keys()).filter(isOld).map((name) => caches.delete(name)));
  event.waitUntil(drop());
});

const isMine = (url) => url.startsWith(self.registration.scope);

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !isMine(request.url)) return;
  event.respondWith(request.mode === "navigate" ? page(request) : file(request));
});

// The files that the page has loaded. The page itself is kept last, so that a new one never starts without its files.
self.addEventListener("message", (event) => {
  const keepAll = async () => {
    await Promise.all(event.data.filter(isMine).map((url) => file(new Request(url))));
    const fresh = await fetch(PAGE).catch(() => undefined);
    if (fresh) await keep(PAGE, fresh);
    event.ports[0].postMessage("kept");
  };
  event.waitUntil(keepAll());
});

// The page: fresh if there is a network that answers.
async function page(request) {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
}

// Scripts, styles and the .wasm file: from the cache, because their names change with their content.
async function file(request) {
  // A server's `Vary: Origin` must not hide a file from a script element that asks for it with another header.
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const fresh = await fetch(request);
  // Many servers answer with the page where a file is missing. Under the name of a script it would break the app for good.
  const isPage = fresh.headers.get("content-type")?.startsWith("text/html");
  return isPage ? fresh : keep(request, fresh);
}

async function keep(request, response) {
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
  return response;
}
