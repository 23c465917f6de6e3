/** Light or dark theme, chosen by the user, the surrounding program, or the system. */

import type { Theme } from "../state";
import type { Shade } from "./colors";

const DARK = "(prefers-color-scheme: dark)";
const STILL = "(prefers-reduced-motion: reduce)";
/** JupyterLab uses this attribute to report whether its theme is light. */
const LAB = "data-jp-theme-light";

/** The shade that a theme means at present. */
export function shadeOf(theme: Theme): Shade {
  if (theme !== "auto") {
    return theme;
  }
  const isLight = document.body.getAttribute(LAB);
  const isDark = isLight === null ? matchMedia(DARK).matches : isLight === "false";
  return isDark ? "dark" : "light";
}

/** The shade that is not shown. */
export function otherShade(theme: Theme): Shade {
  return shadeOf(theme) === "dark" ? "light" : "dark";
}

/** Call a listener when "auto" changes; call the returned function to stop. */
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

/** Milliseconds of an animation; 0 if the system asks for reduced motion. */
export function duration(milliseconds: number): number {
  return matchMedia(STILL).matches ? 0 : milliseconds;
}
