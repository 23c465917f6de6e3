/** What honesty says about a map, with the mark of its level, for view and app. */

import type { Honesty } from "../scene/scene";
import { html } from "./elements";

type HonestyLevel = Honesty["level"];

/** Honesty as far as it was measured. */
interface Said {
  readonly verdict?: string | null;
  readonly finding?: string | null;
  readonly level?: HonestyLevel | null;
}

/** A shape and a colour that say the same. */
export function honestyMark(level: HonestyLevel | null | undefined): HTMLElement {
  const attributes = { class: "ls-honesty", "data-honesty": level };
  return html("i", { ...attributes, "aria-hidden": "true" });
}

/** The sentence with its mark; null where honesty was not measured. */
export function verdict({ verdict, level }: Said): HTMLElement | null {
  return marked(verdict, level);
}

/** The same in a few words, for a list. */
export function shortVerdict({ verdict, finding, level }: Said): HTMLElement | null {
  const short = marked(finding || verdict, level);
  short?.setAttribute("title", verdict ?? "");
  return short;
}

function marked(words: Said["verdict"], level: Said["level"]): HTMLElement | null {
  return words
    ? html("span", { class: "ls-app-verdict" }, honestyMark(level), words)
    : null;
}
