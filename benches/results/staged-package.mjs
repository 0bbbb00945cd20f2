// Loaded with `--import`: `keepsake` is the staged copy of the package, whichever folder a module is in.

import { register } from "node:module";

const copy = JSON.stringify(process.env.KEEPSAKE_STAGED);
const hook = `export const resolve = (name, context, next) =>
  next(name, /^keepsake(\\/|$)/.test(name) ? { ...context, parentURL: ${copy} } : context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
