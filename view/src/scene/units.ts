/** In which unit a model's numbers are: said wherever they are shown. */

import type { Feature, Scene, SceneModel } from "./scene";

/** What the model calls near and far: a distance, or its square. */
export function distanceName({ squared }: SceneModel): string {
  return squared ? "squared distance" : "distance";
}

/** Values looked at for the spread of a feature: enough for two digits. */
const ENOUGH = 20_000;
/** How far a length may be off to be in a unit. */
const SLACK = 0.03;

type Unit = NonNullable<SceneModel["unit"]>;

const UNITS: Readonly<Record<Unit, string>> = {
  data: "in units of the data",
  standard_deviation: "in standard deviations",
  model: "in the units that the model sees",
};

/**
 * The unit of the length of a change: a model may see the features in their own units,
 * or each in standard deviations, or otherwise.
 */
export function changeUnit(
  scene: Scene,
  change: ArrayLike<number>,
  length: number,
): string {
  return UNITS[scene.model?.unit ?? guessedUnit(scene, change, length)];
}

/** The unit in scenes that do not tell it: the one in which the change has its length. */
function guessedUnit(
  { features, n_features }: Scene,
  change: ArrayLike<number>,
  length: number,
): Unit {
  if (features.length < n_features) {
    return "model";
  }
  const isLength = (unit: (feature: Feature) => number) => {
    const sides = features.map((feature, j) =>
      change[j] ? change[j] / unit(feature) : 0,
    );
    return Math.abs(Math.hypot(...sides) - length) <= SLACK * length;
  };
  return isLength(spread) ? "standard_deviation" : isLength(() => 1) ? "data" : "model";
}

/** Standard deviation of a feature; missing values are left out. */
function spread({ values, low }: Feature): number {
  const stride = Math.max(1, Math.floor(values.length / ENOUGH));
  let [count, sum, squares] = [0, 0, 0];
  for (let i = 0; i < values.length; i += stride) {
    // From the lowest on, so that no digits are lost.
    const value = values[i] - low;
    if (Number.isFinite(value)) {
      count += 1;
      sum += value;
      squares += value * value;
    }
  }
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}
