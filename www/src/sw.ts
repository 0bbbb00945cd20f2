// The service worker: keeps every file of the build in a cache, so that the page opens without a network.

declare const self: ServiceWorkerGlobalScope;

/** Filled in by the build: vite.config.ts says with what. */
declare const __BUILD__: { readonly version: string; readonly files: readonly string[] };

const { version, files } = __BUILD__;
const PREFIX = "keepsake-demo-";
const CACHE = PREFIX + version;
const PAGE = "./";
const PATIENCE_MS = 3000;

async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  // From the server, not from the HTTP cache: files of two builds must not meet in one cache.
  const addresses = files.map((file) => (file === "index.html" ? PAGE : file));
  await cache.addAll(addresses.map((address) => new Request(address, { cache: "reload" })));
}

async function dropOldFiles(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** The page: as new as the network has it, if it answers soon; what it refers to has a hash in its name. */
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
// No skipWaiting: old files go when the last page that may still ask for them is closed.
self.addEventListener("activate", (event) => event.waitUntil(dropOldFiles()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith(request.mode === "navigate" ? page(request) : file(request));
});
