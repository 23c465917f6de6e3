import { expect, test, vi } from "vitest";
import { number } from "../../src/format";
import { ObjectPanel } from "../../src/panels/object_panel";
import { nearestClasses } from "../../src/scene/metric";
import type { DecisionChanges, Scene, SceneModel } from "../../src/scene/scene";
import type { Answer as Explanation } from "../../src/scene/scene_types";
import { choose } from "../../src/state";
import { bareScene, MARKUP, madeScene, tensor, weighed } from "../made_scene";
import { click, mounted, values } from "../mounted";

const scene = madeScene({ d: 12 });
const model = scene.model as SceneModel;
const shown = (object: number) => ({ object, tab: "object" as const });

test("no object chosen: words that say how to choose one", () => {
  const { el } = mounted(ObjectPanel, scene, { tab: "object" });
  expect(el.textContent).toContain("No point selected");
});

test("id, class, prediction and certainty are told, as text", () => {
  const { el } = mounted(ObjectPanel, scene, shown(0));
  expect(el.querySelector("h2")?.textContent).toBe(MARKUP);
  expect(el.querySelector("[data-fact=class]")?.textContent).toBe("<b>bold</b>");
  expect(el.querySelector("[data-fact=certainty]")?.textContent).toBe("75%");
  expect(el.querySelector("img, b")).toBeNull();
});

test("the page says who explains, how often it is right, and what was predicted", () => {
  const own = model.prototypes.labels.data[model.member_of.data[0]];
  const predictions = tensor(Uint8Array.from(scene.labels?.data ?? [], () => own));
  const judged: Scene = {
    ...scene,
    predictions,
    predictions_note: "by models that did not see the row",
    model: { ...model, name: "Matrix LVQ", accuracy: 0.78 },
  };
  const { el } = mounted(ObjectPanel, judged, shown(0));
  expect(el.textContent).toContain("Why Matrix LVQ predicts <b>bold</b>");
  expect(el.textContent).toContain("Matrix LVQ is right for 78% of held-out rows.");
  expect(el.textContent).toContain("Predicted by models that did not see the row.");
  expect(el.textContent).not.toContain("the held-out prediction");
  predictions.data[0] = 1 - own;
  const other = mounted(ObjectPanel, judged, shown(0)).el;
  expect(other.textContent).toContain("predicts <b>bold</b>. The held-out prediction");
});

test("where no model is good enough, the page says so", () => {
  const without = { ...scene, model: null, model_note: "No prototypes: 61%." };
  const { el } = mounted(ObjectPanel, without, shown(0));
  expect(el.textContent).toContain("Why this class");
  expect(el.textContent).toContain("No prototypes: 61%.");
});

test("without a model the values are there at once", () => {
  const { el } = mounted(ObjectPanel, { ...scene, model: null }, shown(0));
  expect(el.querySelector("h2")?.textContent).toBe(MARKUP);
  const all = el.querySelector<HTMLDetailsElement>("details");
  expect(all?.open).toBe(true);
  expect(all?.querySelectorAll("tbody tr")).toHaveLength(12);
});

test("an assumed value is told as missing", () => {
  const imputed = Uint32Array.of(4);
  const features = scene.features.map((feature) => ({ ...feature, imputed }));
  const { el } = mounted(ObjectPanel, { ...scene, features }, shown(4));
  const value = number(features[1].values[4]);
  const cell = el.querySelector("details tbody tr:nth-child(2) td:last-child");
  expect(cell?.textContent).toBe("missing");
  expect(cell?.getAttribute("title")).toBe(`imputed as ${value}`);
  const from = el.querySelector("[aria-label^='The smallest change'] td:nth-child(2)");
  expect(from?.textContent).toBe("missing");
});

test("the classes stand by their exact distances, the nearest first", () => {
  const { el } = mounted(ObjectPanel, scene, shown(4));
  const distances = Array.from(model.class_distances?.data.subarray(12, 15) ?? []);
  expect(values(el, "td[data-class]")).toEqual(distances.sort((a, b) => a - b));
});

test("a class without prototypes is not among the distances", () => {
  const distances = model.class_distances?.data.slice() ?? new Float32Array();
  distances[0] = Number.POSITIVE_INFINITY;
  const class_distances = { data: distances, shape: [60, 3] };
  const found = nearestClasses({ ...model, class_distances }, 0);
  expect(found.map(({ index }) => index)).not.toContain(0);
});

test("the ten largest contributions are bars with signs, more on request", () => {
  const { el } = mounted(ObjectPanel, scene, shown(4));
  const found = values(el, "[aria-label='Contributions of features'] rect");
  expect(found).toHaveLength(10);
  expect(found.slice(0, 2)).toEqual([9.5, 8.5]);
  expect(el.textContent).toContain("The bars add up to 48");
  click(el, "[data-key=features]");
  expect(values(el, "[aria-label='Contributions of features'] rect")).toHaveLength(12);
  expect(values(el, "[aria-label='Contributions of features'] rect")).toContain(-1.5);
});

test("the smallest change is told from value to value, with class and length", () => {
  const { el } = mounted(ObjectPanel, scene, shown(4));
  expect(el.textContent).toContain(
    "A change of length 0.6, in the units of the model, changes the prediction to class 2.",
  );
  const to = values(el, "[aria-label^='The smallest change'] td[data-value]");
  const changes = model.explanations?.changes.data ?? [];
  const wanted = [0, 1].map((j) => scene.features[j].values[4] + changes[12 + j]);
  expect(to.sort()).toEqual(wanted.sort());
});

test("the real objects behind the nearest prototype open when clicked", () => {
  const { el, store } = mounted(ObjectPanel, scene, shown(4));
  const medoid = model.prototypes.medoids.data[model.member_of.data[4]];
  click(el, `.ls-card[data-object='${medoid}']`);
  expect(store.state.object).toBe(medoid);
});

test("what is not stored is computed from the metric; of the change it is said", () => {
  const { el } = mounted(ObjectPanel, scene, shown(5));
  click(el, "[data-key=features]");
  const found = values(el, "[aria-label='Contributions of features'] rect");
  const [own, foreign] = nearestClasses(model, 5);
  const sum = found.reduce((a, b) => a + b, 0);
  expect(sum).toBeCloseTo(foreign.distance - own.distance, 4);
  expect(el.textContent).toContain("the margin in squared distance");
  expect(el.textContent).toContain(
    "This page contains explanations of 3 of 60 points, mainly misclassified and uncertain points",
  );
});

test("without a metric an object that nobody explained: it is said", () => {
  const bare = { ...scene, model: { ...model, metric: null } };
  const { el } = mounted(ObjectPanel, bare, shown(5));
  expect(el.textContent).toContain("This page contains explanations of 3 of 60 points");
  expect(el.textContent).not.toContain("The smallest change");
});

test("squared distances are called so, plain ones not", () => {
  const { el } = mounted(ObjectPanel, scene, shown(4));
  const heads = (page: HTMLElement) =>
    Array.from(
      page.querySelectorAll("[aria-label^=Distance] th"),
      (th) => th.textContent,
    );
  expect(heads(el)).toEqual(["Class", "squared distance"]);
  const [nearest] = nearestClasses(model, 4);
  expect(el.textContent).toContain(
    `a distance of ${number(Math.sqrt(nearest.distance))}.`,
  );
  const plain = { ...scene, model: { ...model, squared: false } };
  const other = mounted(ObjectPanel, plain, shown(4)).el;
  expect(heads(other)).toEqual(["Class", "distance"]);
  expect(other.textContent).not.toContain("quared");
});

test("the only chosen point is the object; of several, one after the other", () => {
  const { el, store } = mounted(ObjectPanel, scene, { tab: "object" });
  choose(store, Uint32Array.of(5));
  expect(el.querySelector("h2")?.textContent).toBe("object 5");
  expect(el.querySelector("[data-key=next]")).toBeNull();
  choose(store, Uint32Array.of(3, 7, 9));
  expect(el.querySelector("h2")?.textContent).toBe("object 3");
  click(el, "[data-key=next]");
  expect(el.textContent).toContain("2 of 3 selected");
  expect(store.state.object).toBe(7);
  click(el, "[data-key=previous]");
  click(el, "[data-key=previous]");
  expect(store.state.object).toBe(9);
});

test("Python is asked once, and its answer shown", async () => {
  let answer: (explanation: Explanation) => void = () => {};
  const explain = vi.fn(
    () => new Promise<Explanation>((resolve) => (answer = resolve)),
  );
  const { el, store } = mounted(ObjectPanel, scene, shown(5), { explain });
  expect(el.querySelector("[role=status]")?.textContent).toContain(
    "Computing the explanation",
  );
  answer({
    contributions: Array.from({ length: 12 }, (_, j) => j),
    change: Array.from({ length: 12 }, () => 0.25),
    change_distance: 0.125,
    change_class: 1,
  });
  await vi.waitFor(() =>
    expect(el.textContent).toContain(
      "length 0.125, in the units of the model, changes the prediction to class 1",
    ),
  );
  store.set({ object: 4 });
  store.set({ object: 5 });
  expect(explain).toHaveBeenCalledTimes(1);
});

test("a refusal is shown in its own words", async () => {
  const explain = () => Promise.reject(new Error("The model is busy."));
  const { el } = mounted(ObjectPanel, scene, shown(5), { explain });
  await vi.waitFor(() =>
    expect(el.querySelector("[role=note]")?.textContent).toContain(
      "The model is busy.",
    ),
  );
});

test("of 40 classes the nearest are listed, the others on request", () => {
  const { el } = mounted(ObjectPanel, madeScene({ nClasses: 40, n: 80 }), shown(4));
  expect(el.querySelectorAll("td[data-class]")).toHaveLength(8);
  click(el, "[data-key=classes]");
  expect(el.querySelectorAll("td[data-class]")).toHaveLength(40);
});

test("a scene without model and labels shows what it has", () => {
  const { el } = mounted(ObjectPanel, bareScene(), shown(3));
  expect(el.querySelector("h2")?.textContent).toBe("row 3");
  expect(el.querySelector(".ls-section")).toBeNull();
});

const near = {
  ...scene,
  neighbors: weighed("standard_deviation", new Float64Array(12).fill(1)),
};

test("the nearest neighbours are listed with class and distance", () => {
  const { el } = mounted(ObjectPanel, near, shown(4));
  const list = el.querySelector(".ls-neighbors") as HTMLElement;
  expect(list.querySelectorAll("tbody tr")).toHaveLength(10);
  expect(list.querySelectorAll("tbody .ls-class")).toHaveLength(10);
  const distances = values(list, "td[data-value]");
  expect(distances).toEqual([...distances].sort((a, b) => a - b));
  expect(el.textContent).toContain(
    "These points are most similar, by distance in the data, computed from all features, in standard deviations.",
  );
  expect(el.textContent).toContain("10 of 10 have the same class, class 1.");
});

test("a neighbour that is clicked is the chosen object, where one is", () => {
  const { el, store } = mounted(ObjectPanel, near, {
    ...shown(4),
    selection: Uint32Array.of(4),
  });
  const link = el.querySelector(".ls-neighbors .ls-link");
  const point = Number(link?.getAttribute("data-object"));
  click(el, ".ls-neighbors .ls-link");
  expect(store.state.object).toBe(point);
  expect(Array.from(store.state.selection)).toEqual([point]);
  expect(store.state.level).toBe("data");
});

test("of several chosen points all stay chosen when a neighbour is looked at", () => {
  const selection = Uint32Array.of(4, 5);
  const { el, store } = mounted(ObjectPanel, near, { ...shown(4), selection });
  click(el, ".ls-neighbors .ls-link");
  expect(store.state.selection).toBe(selection);
  expect(store.state.object).not.toBe(4);
});

test("neighbours are shown on the map, from any level, and not any more", () => {
  const { el, store } = mounted(ObjectPanel, near, {
    ...shown(4),
    level: "object",
  });
  click(el, "[data-key=links]");
  expect([store.state.links, store.state.level]).toEqual([true, "data"]);
  expect(el.querySelector("[data-key=links]")?.getAttribute("aria-pressed")).toBe(
    "true",
  );
  click(el, "[data-key=links]");
  expect(store.state.links).toBe(false);
});

test("where a model learned a metric, either distance may be wanted", () => {
  const data = Float64Array.from({ length: 12 }, (_, j) => (j === 0 ? 1 : 0));
  const metric = { kind: "factor" as const, factors: { data, shape: [1, 12] } };
  const learned = { ...near, model: { ...model, metric } };
  const { el } = mounted(ObjectPanel, learned, shown(4));
  const before = values(el, ".ls-neighbors td[data-value]");
  click(el, "[data-key='Distance:model']");
  expect(values(el, ".ls-neighbors td[data-value]")).not.toEqual(before);
  expect(el.textContent).toContain("by the distance that the model learned");
});

test("an object with missing values has no neighbours, and that is said", () => {
  const features = scene.features.map((feature) => ({
    ...feature,
    values: feature.values.map((value, i) => (i === 4 ? Number.NaN : value)),
  }));
  const { el } = mounted(ObjectPanel, { ...near, features, model: null }, shown(4));
  expect(el.textContent).toContain("its distances are unknown");
});

test("a classifier's object has all probabilities, and what would change them", () => {
  const n = scene.n_points;
  const probabilities = {
    data: Float32Array.from({ length: 3 * n }, (_, k) => [0.2, 0.7, 0.1][k % 3]),
    shape: [n, 3],
  };
  const [, name] = scene.features.map((feature) => feature.name);
  const changes = {
    columns: ["elsewhere", name],
    other: { data: Uint32Array.from({ length: n }, (_, i) => (i === 0 ? 5 : i)) },
    starts: { data: Uint32Array.from({ length: n + 1 }, (_, i) => (i === 0 ? 0 : 1)) },
    taken: { data: Uint32Array.of(1) },
    answers: { data: new Uint8Array(n).fill(1) },
  } as unknown as DecisionChanges;
  const given = { ...scene, model: null, probabilities, changes };
  const { el } = mounted(ObjectPanel, given, shown(0));
  expect(values(el, "[aria-label=Probabilities] [data-value]")).toEqual(
    [0.7, 0.2, 0.1].map(Math.fround),
  );
  const row = el.querySelector("[aria-label^='What would change'] tbody tr");
  const number_ = (i: number) => number(scene.features[1].values[i]);
  expect(Array.from(row?.children ?? [], (cell) => cell.textContent)).toEqual([
    name,
    number_(0),
    number_(5),
  ]);
  expect(el.textContent).toContain("there may be a smaller one");
  const other = mounted(ObjectPanel, given, shown(1)).el;
  expect(other.textContent).toContain("Not computed for this point");
  const bare = mounted(ObjectPanel, { ...given, changes: null }, shown(0)).el;
  expect(bare.textContent).toContain("cannot explain its predictions");
});
