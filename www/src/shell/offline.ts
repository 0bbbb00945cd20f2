// Starts the service worker, where there can be one.

/** What of Trusted Types is used here; TypeScript's own library does not know them yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(): string },
  ): { createScriptURL(input: string): string };
}

/** True once the page will open without a network; false where the browser has no service workers. */
export async function readyForOffline(): Promise<boolean> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return false;
  const address = new URL("sw.js", document.baseURI).href;
  // The page is served with require-trusted-types-for, under which a script's address may not be a plain string.
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("keepsake-demo", { createScriptURL: () => address });
  await navigator.serviceWorker.register(policy?.createScriptURL("") ?? address);
  await navigator.serviceWorker.ready;
  return true;
}
