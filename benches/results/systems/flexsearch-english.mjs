// FlexSearch with its stop words and stems for English.

import { flexSearch, loadFlexSearch } from "../../peers.mjs";
import { inMemory } from "./in-memory.mjs";

export const { open, reopen } = inMemory({
  build: (documents) => flexSearch(documents, "en"),
  load: (saved) => loadFlexSearch(saved, "en"),
});
