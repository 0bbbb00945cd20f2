// The same for parts that only Node has.

export { LogFile } from "../pkg/src/storage/jsonl/log-file.js";
