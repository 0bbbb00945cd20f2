// Registers the service worker, which caches the site.

/** The used part of APIs that TypeScript's library does not declare yet. */
interface Undeclared {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(): string },
    ): { createScriptURL(input: string): string };
  };
}

/** Resolves once the browser has the service worker. A reader who saves data gets no copy of the whole site. */
export async function worksOffline(): Promise<void> {
  const { trustedTypes }: typeof globalThis & Undeclared = globalThis;
  const { connection }: Navigator & { readonly connection?: { readonly saveData?: boolean } } = navigator;
  if (!("serviceWorker" in navigator) || connection?.saveData) return;
  const address = new URL(`${document.body.dataset.site ?? "./"}sw.js`, location.href).href;
  // The page requires trusted types, which refuse a plain string as a script URL.
  const policy = trustedTypes?.createPolicy("keepsake-docs", { createScriptURL: () => address });
  await navigator.serviceWorker.register(policy?.createScriptURL("") ?? address);
}
