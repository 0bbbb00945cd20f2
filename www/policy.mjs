// The policy that the page lives under.

const DIRECTIVES = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  // The user may name a model anywhere, and on this machine without TLS; scripts come from here alone.
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
  "img-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
];

/** For the page itself: a host that sends no policy serves it under this one all the same. */
export const PAGE_POLICY = DIRECTIVES.join("; ");

/** For the header. Who may frame the page can be said only there. */
export const HEADER_POLICY = [...DIRECTIVES, "frame-ancestors 'none'"].join("; ");
