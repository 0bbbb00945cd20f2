// The same for parts that only Node has.

export { LogFile } from "../pkg/src/jsonl/log-file.js";
