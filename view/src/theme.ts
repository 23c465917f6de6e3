/** Light or dark, as a person or their system wants it. */

import type { Shade } from "./colors";
import type { Theme } from "./state";

const DARK = "(prefers-color-scheme: dark)";
const STILL = "(prefers-reduced-motion: reduce)";

/** The shade that a theme means here and now. */
export function shadeOf(theme: Theme): Shade {
  return theme === "auto" ? (matchMedia(DARK).matches ? "dark" : "light") : theme;
}

/** The shade that is not shown now. */
export function otherShade(theme: Theme): Shade {
  return shadeOf(theme) === "dark" ? "light" : "dark";
}

/** Listen to the system's wish; call what is returned to stop. */
export function onSystemShade(listener: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** Milliseconds of an animation; none for people who asked for less motion. */
export function duration(milliseconds: number): number {
  return matchMedia(STILL).matches ? 0 : milliseconds;
}
