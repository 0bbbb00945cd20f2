// Telling other tabs that something was written. Only a hint: what is true is in the storage.

/** A line to the other handles of one memory in this browser. */
export interface Hints {
  /** Something was written. */
  tell(): void;
  /** Hangs up. */
  close(): void;
}

/** Begins to listen; `told` is called whenever somebody else has written. Nothing where nobody can be heard. */
export type Listen = (told: () => void) => Hints | undefined;

/** Listens for hints about the memory of `user` in the app `name`; nothing where tabs cannot talk. */
export function hints(name: string, user: string, told: () => void): Hints | undefined {
  if (typeof BroadcastChannel === "undefined") return undefined;
  const channel = new BroadcastChannel(`keepsake/${name}`);
  // To tell takes a tenth of the time of a small write: it is left out where nobody would hear it.
  let others = false;
  let untold = false;
  let open = true;
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const greeted = typeof data === "object" && (data as Greeting | null)?.hello === user;
    if (!greeted && data !== user) return;
    others = true;
    // Whoever has just come may have missed what was written before they were heard; and whoever answers may have missed
    // what was written before that.
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
      // There was no time to learn whether somebody listens.
      if (open && untold) channel.postMessage(user);
      open = false;
      channel.close();
    },
  };
}

/** Somebody else begins to listen. */
interface Greeting {
  hello: string;
}
