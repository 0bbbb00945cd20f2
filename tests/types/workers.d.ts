// What Cloudflare's types say of this module, as far as apps here need it; theirs do not go together with the DOM's.

declare module "cloudflare:workers" {
  export abstract class DurableObject<Env = unknown> {
    protected ctx: {
      readonly id: { toString(): string };
      readonly storage: import("keepsake/cloudflare").ObjectStorageLike;
    };
    protected env: Env;
    constructor(ctx: object, env: Env);
    fetch?(request: Request): Response | Promise<Response>;
    alarm?(): void | Promise<void>;
  }
}
