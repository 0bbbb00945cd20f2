// The style sheet of the element. It is constructed, so that a content security policy need not allow inline styles.

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
