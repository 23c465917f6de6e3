/** What unseen objects of each class are taken for: a table whose cells can be chosen. */

import type { Context } from "../../context";
import type { Audit, Scene } from "../../scene/scene";
import { count, percent } from "../../scene/words/format";
import { classOf, classTitle, inWords } from "../../scene/words/names";
import { isSelection, toggleSelection } from "../../state";
import { button } from "../../ui/button";
import { classMark, table } from "../parts";

/** More classes have no room. */
const MOST_CLASSES = 20;

/** The points of each class (row) that are taken for each class (column); or some of them. */
export function confusion(
  { labels, classes }: Scene,
  { taken_for }: Pick<Audit, "taken_for">,
  among: Scene["held_out"] = null,
): number[][][] {
  const cells = classes.map(() => classes.map((): number[] => []));
  const n = labels?.data.length ?? 0;
  for (let i = 0; labels && i < n; i++) {
    const [given, taken] = [classOf(labels, i), classOf(taken_for, i)];
    if (among === null || among.data[i]) {
      cells[given]?.[taken]?.push(i);
    }
  }
  return cells;
}

/** Null where there are too many classes. */
export function confusionTable(
  context: Context,
  audit: Pick<Audit, "taken_for">,
  among: Scene["held_out"] = null,
): HTMLElement | null {
  const { scene } = context;
  if (scene.classes.length > MOST_CLASSES) {
    return null;
  }
  const cells = confusion(scene, audit, among);
  const names = scene.classes.map((_, index) => classTitle(scene, index));
  return table(
    "What unseen objects are taken for",
    [
      { words: "taken for" },
      ...names.map((name) => ({ words: name, numeric: true, title: name })),
    ],
    cells.map((row, given) => [
      { words: classMark(scene, given) },
      ...row.map((points, taken) => ({
        words: cell(context, points, given, taken, row),
        numeric: true,
      })),
    ]),
  );
}

function cell(
  { scene, store }: Context,
  points: readonly number[],
  given: number,
  taken: number,
  row: readonly (readonly number[])[],
): HTMLElement | string {
  if (points.length === 0) {
    return "·";
  }
  const all = row.reduce((sum, part) => sum + part.length, 0);
  const chosen = Uint32Array.from(points);
  const [own, other] = [given, taken].map((index) => inWords(classTitle(scene, index)));
  const words = `${count(points.length)} of ${own}, taken for ${other} (${percent(points.length / all)})`;
  return button(count(points.length), () => toggleSelection(store, chosen), {
    key: `confusion:${given}:${taken}`,
    class: given === taken ? "ls-cell" : "ls-cell ls-cell-wrong",
    "aria-label": words,
    "aria-pressed": String(isSelection(store.state, chosen)),
    title: words,
  });
}
