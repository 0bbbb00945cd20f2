// The one style sheet of the element. It is constructed, so that a page's policy need not allow any style.

import { base } from "./base.js";
import { views } from "./views.js";

let made: CSSStyleSheet | undefined;

/** All elements of a page share it. */
export function sheet(): CSSStyleSheet {
  if (!made) {
    made = new CSSStyleSheet();
    made.replaceSync(base + views);
  }
  return made;
}
