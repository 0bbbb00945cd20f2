// What a page does beyond its text: theme, contents, keyboard access to wide blocks, search, and work without a network.

import "./site.css";
import { worksOffline } from "./offline.js";

/** Loads the search when it is used for the first time. */
async function openSearch(): Promise<void> {
  const { openDialog } = await import("./search.js");
  openDialog();
}

/** A block that scrolls sideways must be reachable with the keyboard. */
function reachWideBlocks(): void {
  for (const block of document.querySelectorAll<HTMLElement>("article pre, article .scroll")) {
    if (block.scrollWidth <= block.clientWidth) continue;
    block.tabIndex = 0;
    block.setAttribute("role", "group");
    block.setAttribute(
      "aria-label",
      block.matches("pre") ? "Code, scrolls sideways" : "Table, scrolls sideways",
    );
  }
}

/** The contents are beside the page where there is room, and closed above it where there is none. */
function placeContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>(".contents details");
  const wide = matchMedia("(min-width: 1200px)");
  const place = (): void => {
    if (contents) contents.open = wide.matches;
  };
  place();
  wide.addEventListener("change", place);
}

const button = document.getElementById("site-search");
button?.addEventListener("click", () => void openSearch());
button?.removeAttribute("hidden");
document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  const isShortcut =
    (event.key === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !isTyping);
  if (!isShortcut || event.defaultPrevented) return;
  event.preventDefault();
  void openSearch();
});
placeContents();
reachWideBlocks();
addEventListener("resize", reachWideBlocks);
const menu = document.getElementById("site-menu");
const current = menu?.querySelector<HTMLElement>("[aria-current]");
if (menu && current) menu.scrollTop = current.offsetTop - menu.clientHeight / 2;
addEventListener("load", () => void worksOffline());
