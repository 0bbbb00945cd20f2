// The graph in processes of its own: a fact of another thread, and a step that failed. The README has what they print.

import { testExample } from "./support.mjs";

testExample("langgraph");
