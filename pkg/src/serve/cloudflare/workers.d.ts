// The used part of `cloudflare:workers`, to compile this package. Apps have Cloudflare's own types.

declare module "cloudflare:workers" {
  /** The class that every Durable Object extends. */
  export abstract class DurableObject<Env = unknown> {
    protected ctx: {
      readonly id: { toString(): string };
      readonly storage: import("./platform.js").ObjectStorageLike & import("./platform.js").AlarmsLike;
    };
    protected env: Env;
    constructor(ctx: object, env: Env);
    fetch?(request: Request): Response | Promise<Response>;
    alarm?(): void | Promise<void>;
  }
}
