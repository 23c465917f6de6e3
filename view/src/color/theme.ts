/** Light or dark, as a person, the program around the view, or their system wants it. */

import type { Theme } from "../state";
import type { Shade } from "./colors";

const DARK = "(prefers-color-scheme: dark)";
const STILL = "(prefers-reduced-motion: reduce)";
/** Where JupyterLab says whether its own theme is light. */
const LAB = "data-jp-theme-light";

/** The shade that a theme means here and now. */
export function shadeOf(theme: Theme): Shade {
  if (theme !== "auto") {
    return theme;
  }
  const isLight = document.body.getAttribute(LAB);
  const isDark = isLight === null ? matchMedia(DARK).matches : isLight === "false";
  return isDark ? "dark" : "light";
}

/** The shade that is not shown now. */
export function otherShade(theme: Theme): Shade {
  return shadeOf(theme) === "dark" ? "light" : "dark";
}

/** Listen to what "auto" means; call what is returned to stop. */
export function onSystemShade(listener: () => void): () => void {
  const query = matchMedia(DARK);
  const observer = new MutationObserver(listener);
  query.addEventListener("change", listener);
  observer.observe(document.body, { attributeFilter: [LAB] });
  return () => {
    query.removeEventListener("change", listener);
    observer.disconnect();
  };
}

/** Milliseconds of an animation; none for people who asked for less motion. */
export function duration(milliseconds: number): number {
  return matchMedia(STILL).matches ? 0 : milliseconds;
}
