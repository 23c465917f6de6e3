/** How often the classifier of a picture is right, in words. */

import type { State } from "../state";
import type { Scene } from "./scene";
import { counted, percent } from "./words/format";
import { classOf } from "./words/names";

/** Part of what chance leaves that a classifier has to win. */
const CLEARLY = 0.1;

/** A sentence, and whether the classifier has learnt hardly anything. */
export interface Accuracy {
  readonly words: string;
  readonly isPoor: boolean;
}

/**
 * How often the classifier is right for points that have a class, every class counting
 * the same, as in its light: for held-out points where these are known. Null where
 * there is nothing to count. One that is hardly better than always saying the same is
 * compared with that.
 */
export function accuracyOf(scene: Scene): Accuracy | null {
  const { known, right } = tallied(scene);
  const shares = known.flatMap((n, c) => (n > 0 ? [right[c] / n] : []));
  if (shares.length === 0) {
    return null;
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const [share, chance] = [sum(shares) / shares.length, 1 / shares.length];
  const n = sum(known);
  const whom = scene.held_out
    ? counted(n, "held-out point")
    : "the objects it may have been trained on";
  // Said where it makes a difference.
  const isPlain = shareOf(sum(right) / n, whom) === shareOf(share, whom);
  const how = isPlain ? "" : ", every class counting the same";
  const words = `The classifier is right for ${shareOf(share, whom)}${how}`;
  if (share >= chance + CLEARLY * (1 - chance)) {
    return { words: `${words}.`, isPoor: false };
  }
  const rest =
    share > chance
      ? `; always saying the same would be right for ${percent(chance)}.`
      : ", no more than always saying the same.";
  return { words: words + rest, isPoor: true };
}

/** Points of each class that count, and how many of them the classifier gets right. */
function tallied({ labels, predictions, held_out, classes, n_points }: Scene) {
  const [known, right] = [classes.map(() => 0), classes.map(() => 0)];
  for (let i = 0; labels && predictions && i < n_points; i++) {
    const own = classOf(labels, i);
    if (own >= 0 && (held_out === null || held_out.data[i])) {
      known[own] += 1;
      right[own] += own === classOf(predictions, i) ? 1 : 0;
    }
  }
  return { known, right };
}

/** Whether the picture shows what the classifier decides where. */
export function hasRegions({ maps }: Scene, { level, map, regions }: State): boolean {
  return level === "data" && regions && maps[map].regions != null;
}

function shareOf(share: number, whom: string): string {
  // Not "100 %" while one of them is wrong.
  return share === 1
    ? `all of ${whom}`
    : `${percent(Math.min(share, 0.99))} of ${whom}`;
}
