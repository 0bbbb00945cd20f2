// MiniSearch. Its default joins the words of a question with OR.

import { loadMiniSearch, miniSearch } from "../../peers.mjs";
import { inMemory } from "./in-memory.mjs";

export const { open, reopen } = inMemory({ build: miniSearch, load: loadMiniSearch });
