// FlexSearch without a language. `suggest` also returns documents without some of the words.

import { flexSearch, loadFlexSearch } from "../../peers.mjs";
import { inMemory } from "./in-memory.mjs";

export const { open, reopen } = inMemory({
  build: (documents) => flexSearch(documents),
  load: (saved) => loadFlexSearch(saved),
});
