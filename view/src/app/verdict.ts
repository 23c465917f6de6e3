/** What honesty says about a run, marked by its level as on the picture. */

import { html } from "../ui/elements";
import type { RunResult } from "./api";

/** The sentence with its mark; null where honesty was not measured. */
export function verdict({ verdict, level }: RunResult): HTMLElement | null {
  return marked(verdict, level);
}

/** The same in a few words, for a list. */
export function shortVerdict(result: RunResult): HTMLElement | null {
  const { verdict, finding, level } = result;
  const short = marked(finding || verdict, level);
  short?.setAttribute("title", verdict ?? "");
  return short;
}

function marked(
  words: string | null | undefined,
  level: RunResult["level"],
): HTMLElement | null {
  if (!words) {
    return null;
  }
  const mark = html("i", {
    class: "ls-honesty",
    "data-honesty": level,
    "aria-hidden": "true",
  });
  return html("span", { class: "ls-app-verdict" }, mark, words);
}
