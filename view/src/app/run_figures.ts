/** What a finished run comes to, in figures: for the list of runs, and for comparing them. */

import { lightsOf } from "../scene/lights";
import { percent } from "../scene/words/format";
import { type Child, html } from "../ui/elements";
import { lightMark } from "../ui/lights";
import type { Run } from "./api";
import { span } from "./page_parts";

/** How many new objects are taken for their class; "–" where nobody measured it. */
export function accuracyWords({ result }: Run): string {
  return result.accuracy == null ? "–" : percent(result.accuracy);
}

/** How long it took. */
export function timeWords({ result }: Run): string {
  return result.seconds === undefined ? "" : span(Math.ceil(result.seconds));
}

/** The lights, as marks with their answers. */
export function lightCells(run: Run): Child[] {
  const lights = lightsOf(run.result);
  return [0, 1].map((k) => {
    const light = lights[k];
    return light
      ? html(
          "span",
          { class: "ls-app-light", title: `${light.question} ${light.figure}` },
          lightMark(light.state),
          light.answer,
        )
      : null;
  });
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
