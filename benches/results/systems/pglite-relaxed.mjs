// PGlite with `relaxedDurability`: a query returns before its pages are in IndexedDB. Without it even a search waits for
// a check of all of them.

import * as pglite from "./pglite.mjs";

export const open = (name) => pglite.open(name, { relaxedDurability: true });

export const reopen = open;
