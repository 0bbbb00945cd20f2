// Keeps the files of the page, and answers from there when there is no network.

const CACHE = "my-app-1";
const START = ["./"];
const PATIENCE_MS = 3000;

self.addEventListener("install", (event) =>
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(START))),
);

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

// What the page has loaded before this worker was there.
self.addEventListener("message", (event) => {
  const kept = Promise.all(event.data.filter(isMine).map((url) => file(new Request(url))));
  event.waitUntil(kept.then(() => event.ports[0].postMessage("kept")));
});

// The page: fresh if there is a network that answers.
async function page(request) {
  try {
    return await keep(request, await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) }));
  } catch {
    return (
      (await caches.match(request, { ignoreSearch: true })) ?? (await caches.match("./")) ?? Response.error()
    );
  }
}

// Scripts, styles and the .wasm file: from the cache, because their names change with their content.
async function file(request) {
  // A server's `Vary: Origin` must not hide a file from a script element that asks for it with another header.
  return (await caches.match(request, { ignoreVary: true })) ?? keep(request, await fetch(request));
}

async function keep(request, response) {
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
  return response;
}
