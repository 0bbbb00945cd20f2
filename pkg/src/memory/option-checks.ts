// Checks of options that adapters need too, without the code that the options are for.

import { refused } from "../base/errors.js";

/** @internal The names of the options of long-term memory. */
export const LONG_TERM_OPTIONS =
  "mode agent session recordFilter understand understandTimeout limit minTrust onError store";

/** The largest count that the core accepts: `u32::MAX`. */
const MOST = 2 ** 32 - 1;

/** The numeric settings, grouped by range. */
const COUNTS = [
  "contextTokens",
  "chunkSize",
  "chunk_size",
  "hotWindowSize",
  "hot_window_size",
  "msgThreshold",
] as const;
const RATIOS = ["compressionThreshold", "compression_threshold", "tokenRatio"] as const;
const SIZES = ["lastKeep", "largePayload", "preview"] as const;

/** The numeric settings of a strategy. */
type Settings = { [name in (typeof COUNTS | typeof RATIOS | typeof SIZES)[number]]?: number | undefined };

/** Throws `invalid-input` for settings out of range. Otherwise every compression in the background would fail. */
export function checkSettings(settings: Settings, called: { [name: string]: string } = {}): void {
  const check = (names: readonly (keyof Settings)[], fits: (value: number) => boolean, wanted: string) => {
    for (const name of names) {
      const value = settings[name];
      if (value !== undefined && !fits(value)) throw refused(called[name] ?? name, `must be ${wanted}`);
    }
  };
  const whole = (least: number) => (value: number) =>
    Number.isInteger(value) && value >= least && value <= MOST;
  check(COUNTS, whole(1), "a positive integer");
  check(SIZES, whole(0), "a non-negative integer");
  check(RATIOS, (value) => value > 0 && value <= 1, "a number above 0 and at most 1");
  const { lastKeep = 10, msgThreshold = 30, preview = 200, largePayload = 5120 } = settings;
  if (lastKeep > msgThreshold) throw refused("lastKeep", "must not be more than `msgThreshold`");
  if (preview > largePayload) throw refused("preview", "must not be more than `largePayload`");
}
