/** Which features set some points apart from the rest. */

import type { Feature } from "../../scene/scene";

export interface Difference {
  /** Index of the feature. */
  readonly feature: number;
  /** Means of the chosen points and of the others. */
  readonly chosen: number;
  readonly rest: number;
  /** Their difference in standard deviations of all points. */
  readonly size: number;
}

export interface FeatureDifferences {
  /** By size, the largest first. */
  readonly differences: readonly Difference[];
  /** Whether only a part of the points was looked at. */
  readonly sampled: boolean;
}

interface Sums {
  count: number;
  sum: number;
  squares: number;
}

/** Values looked at for all features together: more take longer than a person waits. */
const MANY_VALUES = 8_000_000;

/**
 * Compare chosen points with all others, or with some of them. Missing values are left
 * out.
 */
export function featureDifferences(
  features: readonly Feature[],
  n: number,
  selection: Uint32Array,
  others: Uint32Array | null = null,
): FeatureDifferences {
  const isChosen = new Uint8Array(n);
  for (const point of selection) {
    isChosen[point] = 1;
  }
  const strideOf = (points: number) =>
    Math.max(1, Math.ceil((points * features.length) / MANY_VALUES));
  const nOthers = others?.length ?? n;
  const [few, many] = [strideOf(selection.length), strideOf(nOthers)];
  const differences = features
    .map((feature, j) => {
      const chosen = none();
      for (let k = 0; k < selection.length; k += few) {
        count(chosen, feature, selection[k]);
      }
      const rest = none();
      for (let k = 0; k < nOthers; k += many) {
        const i = others?.[k] ?? k;
        if (isChosen[i] === 0) {
          count(rest, feature, i);
        }
      }
      return difference(j, zeroOf(feature), times(chosen, few), times(rest, many));
    })
    .filter((found) => found !== null)
    .sort((a, b) => Math.abs(b.size) - Math.abs(a.size));
  return { differences, sampled: many > 1 };
}

function difference(j: number, zero: number, a: Sums, b: Sums): Difference | null {
  const n = a.count + b.count;
  const mean = (a.sum + b.sum) / n;
  const spread = Math.sqrt(Math.max(0, (a.squares + b.squares) / n - mean * mean));
  if (a.count === 0 || b.count === 0 || spread === 0) {
    return null;
  }
  const [chosen, rest] = [a.sum / a.count, b.sum / b.count];
  return {
    feature: j,
    chosen: chosen + zero,
    rest: rest + zero,
    size: (chosen - rest) / spread,
  };
}

/** Values are summed from the lowest on, so that no digits are lost. */
function zeroOf({ low }: Feature): number {
  return Number.isFinite(low) ? low : 0;
}

function none(): Sums {
  return { count: 0, sum: 0, squares: 0 };
}

function count(sums: Sums, feature: Feature, point: number): void {
  const value = feature.values[point] - zeroOf(feature);
  if (!Number.isNaN(value)) {
    sums.count += 1;
    sums.sum += value;
    sums.squares += value * value;
  }
}

function times({ count, sum, squares }: Sums, factor: number): Sums {
  return { count: count * factor, sum: sum * factor, squares: squares * factor };
}
