// The service worker: caches every file of the build, so that the page works offline.

declare const self: ServiceWorkerGlobalScope;

/** Filled in by the build: see vite.config.ts. */
declare const __BUILD__: { readonly version: string; readonly files: readonly string[] };

const { version, files } = __BUILD__;
const PREFIX = "keepsake-demo-";
const CACHE = PREFIX + version;
const PAGE = "./";
const PATIENCE_MS = 3000;

async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Bypasses the HTTP cache: files of two builds must not be mixed in one cache.
  const addresses = files.map((file) => (file === "index.html" ? PAGE : file));
  await cache.addAll(addresses.map((address) => new Request(address, { cache: "reload" })));
}

async function dropOldFiles(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** The page: from the network if it answers soon, otherwise from the cache; its assets have hashes in their names. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    return (await kept(PAGE)) ?? Response.error();
  }
}

async function file(request: Request): Promise<Response> {
  return (await kept(request)) ?? fetch(request);
}

async function kept(request: RequestInfo): Promise<Response | undefined> {
  const cache = await caches.open(CACHE);
  return cache.match(request);
}

self.addEventListener("install", (event) => event.waitUntil(keepFiles()));
// No skipWaiting: old files are deleted when the last page that may need them is closed.
self.addEventListener("activate", (event) => event.waitUntil(dropOldFiles()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith(request.mode === "navigate" ? page(request) : file(request));
});
