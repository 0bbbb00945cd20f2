// The theme, light or dark: the system's, or the reader's choice. A classic script that runs before the page is drawn: a
// module would run after it. For the same reason it imports nothing.

const KEY = "keepsake-docs-theme";
const { dataset } = document.documentElement;

/** Switches between light and dark, for this page and the next ones. */
function switchTheme(): void {
  const isDark = dataset.theme
    ? dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = isDark ? "light" : "dark";
  dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Where the browser denies storage, the choice is for this page alone.
  }
}

try {
  const theme = localStorage.getItem(KEY);
  if (theme !== null) dataset.theme = theme;
} catch {
  // The system's theme.
}
addEventListener("DOMContentLoaded", () => {
  const button = document.getElementById("site-theme");
  button?.addEventListener("click", switchTheme);
  button?.removeAttribute("hidden");
});
