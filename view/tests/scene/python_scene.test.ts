/** The scene that Python wrote: its numbers and ours must be the same. */

// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { storedExplanation } from "../../src/scene/explanation";
import { distanceTerms, nearestClasses } from "../../src/scene/metric";
import { decodeScene, type Metric, type SceneModel } from "../../src/scene/scene";
import { objectLayout } from "../../src/stages/object_layout";

const scene = decodeScene(readFileSync("../tests/scene/fixtures/wine.lscn"));
const model = scene.model as SceneModel;
const metric = model.metric as Metric;
const d = scene.features.length;
const W = model.prototypes.values.data;

function sum(values: Float64Array): number {
  return values.reduce((a, b) => a + b, 0);
}

test("terms between prototypes add up to the distances that the model measures", () => {
  const { data, shape } = model.prototypes.distances;
  for (let a = 0; a < shape[0]; a++) {
    for (let b = 0; b < shape[1]; b++) {
      const v = scene.features.map((_, j) => W[a * d + j] - W[b * d + j]);
      expect(sum(distanceTerms(v, metric, b))).toBeCloseTo(data[a * shape[1] + b], 6);
    }
  }
});

test("contributions are the terms of the nearest other class minus those of the own", () => {
  const objects = Array.from(model.explanations?.objects.data ?? []).slice(0, 20);
  for (const object of objects) {
    const [own, foreign] = nearestClasses(model, object).map(({ prototype }) => {
      const v = scene.features.map(
        ({ values }, j) => values[object] - W[prototype * d + j],
      );
      return distanceTerms(v, metric, prototype);
    });
    const given = storedExplanation(model, object);
    own.forEach((term, j) => {
      expect(given?.contributions[j]).toBeCloseTo(foreign[j] - term, 2);
    });
  }
});

test("the object picture has the radii that Python computed", () => {
  const classes = nearestClasses(model, 3);
  const k = model.prototypes.distances.shape[1];
  const between = classes.flatMap((a) =>
    classes.map((b) => model.prototypes.distances.data[a.prototype * k + b.prototype]),
  );
  const distances = classes.map(({ distance }) => distance);
  objectLayout(distances, between, 1).places.forEach(([x, y], i) => {
    expect(Math.hypot(x, y)).toBeCloseTo(distances[i], 9);
  });
});
