// Telling other tabs that something was written. Only a hint: what is true is in the storage.

/** A line to the other handles of one memory in this browser. */
export interface Hints {
  /** Something was written. */
  tell(): void;
  /** Hangs up. */
  close(): void;
}

/** Listens for hints about the memory of `user` in the app `name`; nothing where tabs cannot talk. */
export function hints(name: string, user: string, told: () => void): Hints | undefined {
  if (typeof BroadcastChannel === "undefined") return undefined;
  const channel = new BroadcastChannel(`keepsake/${name}`);
  // To tell takes a tenth of the time of a small write: it is left out where nobody would hear it.
  let others = false;
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const greeted = typeof data === "object" && (data as Greeting | null)?.hello === user;
    if (!greeted && data !== user) return;
    others = true;
    // Whoever has just come may have missed what was written before they were heard.
    if (greeted) channel.postMessage(user);
    else told();
  };
  channel.postMessage({ hello: user } satisfies Greeting);
  return {
    tell: () => {
      if (others) channel.postMessage(user);
    },
    close: () => channel.close(),
  };
}

/** Somebody else begins to listen. */
interface Greeting {
  hello: string;
}
