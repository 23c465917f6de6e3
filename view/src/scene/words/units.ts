/** In which unit a model's numbers are: said wherever they are shown. */

import type { SceneModel } from "../scene";

/** What the model calls near and far: a distance, or its square. */
export function distanceName({ squared }: SceneModel): string {
  return squared ? "squared distance" : "distance";
}

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
export function changeUnit({ unit }: SceneModel): string {
  return lengthUnit(unit ?? "model");
}

/** The unit of a length among the features that a model or map sees. */
export function lengthUnit(unit: Unit): string {
  return UNITS[unit];
}
