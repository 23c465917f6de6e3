/** How often the classifier of a picture is right, in words. */

import type { State } from "../state";
import { classCounts } from "./class_counts";
import { percent } from "./format";
import { classOf, shortened } from "./names";
import type { Scene } from "./scene";

/** Part of what the largest class leaves that a classifier has to win. */
const CLEARLY = 0.1;

/** A sentence, and whether the classifier has learnt hardly anything. */
export interface Accuracy {
  readonly words: string;
  readonly isPoor: boolean;
}

/**
 * How often the classifier is right for points that have a class; null where there is
 * nothing to count. One that is hardly better than always saying the same is compared
 * with that.
 */
export function accuracyOf(scene: Scene): Accuracy | null {
  const { labels, predictions, classes } = scene;
  if (labels === null || predictions === null) {
    return null;
  }
  const sizes = classCounts(labels, null, classes.length);
  const largest = sizes.find(({ index }) => index >= 0);
  if (largest === undefined) {
    return null;
  }
  let [known, right] = [0, 0];
  for (let i = 0; i < scene.n_points; i++) {
    const own = classOf(labels, i);
    known += own < 0 ? 0 : 1;
    right += own >= 0 && own === classOf(predictions, i) ? 1 : 0;
  }
  const [share, least] = [right / known, largest.size / known];
  const words = `The classifier is right for ${shareOf(right, known)}`;
  if (share >= least + CLEARLY * (1 - least)) {
    return { words: `${words}.`, isPoor: false };
  }
  const same = `always saying ‘${shortened(classes[largest.index], 24)}’`;
  const rest =
    share > least
      ? `; ${same} would be right for ${percent(least)}.`
      : `, no more than ${same}.`;
  return { words: words + rest, isPoor: true };
}

/** Whether the picture shows what the classifier decides where. */
export function hasRegions({ maps }: Scene, { level, map, regions }: State): boolean {
  return level === "data" && regions && maps[map].regions != null;
}

function shareOf(right: number, known: number): string {
  // Not "100 %" while one of them is wrong.
  return right === known
    ? "all points"
    : `${percent(Math.min(right / known, 0.99))} of the points`;
}
