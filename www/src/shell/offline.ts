// Registers the service worker, where it is supported.

/** The used part of Trusted Types, which TypeScript's library does not declare yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(): string },
  ): { createScriptURL(input: string): string };
}

/** Resolves with true once the page works offline; false where the browser has no service workers. */
export async function readyForOffline(): Promise<boolean> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return false;
  const address = new URL("sw.js", document.baseURI).href;
  // The page is served with require-trusted-types-for, which refuses a plain string as a script URL.
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("keepsake-demo", { createScriptURL: () => address });
  await navigator.serviceWorker.register(policy?.createScriptURL("") ?? address);
  await navigator.serviceWorker.ready;
  return true;
}
