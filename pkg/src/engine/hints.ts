// Tells other tabs that something was written. Only a hint: the storage is the source of truth.

/** A channel to the other handles of one memory in this browser. */
export interface Hints {
  /** Something was written. */
  tell(): void;
  /** Closes the channel. */
  close(): void;
}

/** Starts listening; `told` is called after each write of another handle. `undefined` where there is no channel. */
export type Listen = (told: () => void) => Hints | undefined;

/** Listens for hints about the memory of `user` in the app `name`; `undefined` without `BroadcastChannel`. */
export function hints(name: string, user: string, told: () => void): Hints | undefined {
  if (typeof BroadcastChannel === "undefined") return undefined;
  const channel = new BroadcastChannel(`keepsake/${name}`);
  // Posting takes a tenth of the time of a small write, so it is skipped while no other handle listens.
  let others = false;
  let untold = false;
  let open = true;
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const greeted = typeof data === "object" && (data as Greeting | null)?.hello === user;
    if (!greeted && data !== user) return;
    others = true;
    // The new handle may have missed writes that were made before it was known, and this one may have missed writes that
    // were made before the greeting.
    if (greeted || untold) channel.postMessage(user);
    untold = false;
    if (!greeted) told();
  };
  channel.postMessage({ hello: user } satisfies Greeting);
  return {
    tell: () => {
      if (!open) return;
      if (others) channel.postMessage(user);
      else untold = true;
    },
    close: () => {
      // Too early to know whether another handle listens.
      if (open && untold) channel.postMessage(user);
      open = false;
      channel.close();
    },
  };
}

/** Another handle starts listening. */
interface Greeting {
  hello: string;
}
