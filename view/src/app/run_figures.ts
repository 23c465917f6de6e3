/** What a finished run comes to, in figures: for the list of runs, and for comparing them. */

import { percent } from "../scene/words/format";
import type { Run } from "./api";
import { span } from "./page_parts";

/** How many new objects are taken for their class; "–" where nobody measured it. */
export function accuracyWords({ result }: Run): string {
  return result.accuracy == null ? "–" : percent(result.accuracy);
}

/** How long it took; "" if it never began. */
export function timeWords({ started, ended }: Run): string {
  return started === null || ended === null ? "" : span(Math.ceil(ended - started));
}

/** Which run to look at first, and why: the one that is right for most new objects. */
export function advice(runs: readonly Run[]): { best: Run | null; words: string } {
  const judged = runs
    .filter(({ result }) => result.accuracy != null)
    .sort((a, b) => (b.result.accuracy ?? 0) - (a.result.accuracy ?? 0));
  const [best, ...others] = judged;
  if (best === undefined) {
    const words =
      "None is recommended: for none of them it was measured what new objects make of it.";
    return { best: null, words };
  }
  const rest = others.map((run) => `${run.name} ${accuracyWords(run)}`).join(", ");
  const share = `${accuracyWords(best)} of new objects are taken for their class`;
  return { best, words: `${best.name}: ${share}${rest ? ` (${rest})` : ""}.` };
}
