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
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === user) told();
  };
  return {
    tell: () => channel.postMessage(user),
    close: () => channel.close(),
  };
}
