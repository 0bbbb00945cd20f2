// The service worker: caches the files of the build, so that the site works offline.

declare const self: ServiceWorkerGlobalScope;

/** Filled in by the build: see build.mjs. */
declare const __BUILD__: { readonly version: string; readonly files: readonly string[] };

const { version, files } = __BUILD__;
const PREFIX = "keepsake-docs-";
const CACHE = PREFIX + version;
const PATIENCE_MS = 3000;

/** Files of other builds must not come from the HTTP cache. */
const fresh = (address: string): Request => new Request(address, { cache: "reload" });

/** A host may redirect `page.html` to `page`. A redirected response is refused for a navigation, so its copy is cached. */
function plain(response: Response): Response {
  if (!response.redirected) return response;
  return new Response(response.body, { status: response.status, headers: response.headers });
}

async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(
    files.map(async (file) => {
      // The folder itself, because a host may redirect from its index.html.
      const response = await fetch(fresh(file === "index.html" ? "./" : file));
      if (!response.ok) throw new Error(`${file}: ${response.status}`);
      await cache.put(file, plain(response));
    }),
  );
}

async function dropOldFiles(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** The file of the cache that an address stands for. Hosts serve pages with and without their ending. */
async function kept(request: Request): Promise<Response | undefined> {
  const cache = await caches.open(CACHE);
  const { origin, pathname } = new URL(request.url);
  const address = origin + pathname;
  const addresses = pathname.endsWith("/")
    ? [`${address}index.html`]
    : [address, `${address}.html`, `${address}/index.html`];
  for (const candidate of addresses) {
    const response = await cache.match(candidate);
    if (response) return response;
  }
  return undefined;
}

/** A page: from the network if it answers soon, otherwise from the cache. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    return (await kept(request)) ?? Response.error();
  }
}

async function file(request: Request): Promise<Response> {
  return (await kept(request)) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(keepFiles()));
// No skipWaiting: old files are deleted when the last page that may need them is closed.
self.addEventListener("activate", (event) => event.waitUntil(dropOldFiles()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith(request.mode === "navigate" ? page(request) : file(request));
});
