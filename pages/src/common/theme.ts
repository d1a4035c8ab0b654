/** Light or dark: as the system has it, until the reader chooses. */

import { el } from "./dom";

type Theme = "light" | "dark";
const KEY = "capture-lsp:theme";

/** A switch for the header. The choice is kept where the browser allows it (not in every page that is opened as a file). */
export function themeSwitch(): HTMLButtonElement {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = remembered();
  const element = el("button", {
    class: "theme-switch",
    attributes: { type: "button", role: "switch", "aria-label": "Dark theme", "data-control": "theme" },
    on: {
      click: () => {
        chosen = isDark() ? "light" : "dark";
        remember(chosen);
        show();
      },
    },
  });
  const isDark = (): boolean => (chosen ?? (system.matches ? "dark" : "light")) === "dark";
  const show = (): void => {
    if (chosen === null) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
    element.setAttribute("aria-checked", String(isDark()));
    element.textContent = isDark() ? "☾ dark" : "☀ light";
  };
  system.addEventListener("change", show);
  show();
  return element;
}

function remembered(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Then it holds for this page alone.
  }
}
