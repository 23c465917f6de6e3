/** The objects most like one: a list, and lines to them on the map. */

import type { Context } from "../context";
import { number } from "../scene/format";
import { classOf, classTitle, inWords, lengthUnit } from "../scene/names";
import {
  type Measure,
  measuresOf,
  type Neighbor,
  neighborsOf,
} from "../scene/neighbors";
import type { Scene } from "../scene/scene";
import { areLinked, measureOf } from "../state";
import { button, figure, html } from "../ui/elements";
import type { Media } from "../ui/media";
import { choice, classMark, note, objectLink, section, table } from "./parts";

const MEASURES = { data: "In the data", model: "As the model measures" } as const;

const NOT_HELD =
  "This page does not hold all features of a table this large, and to list neighbours " +
  "would take long.";

/** The nearest neighbours of an object; null where the scene cannot tell them. */
export function neighborsSection(
  context: Context,
  media: Media,
  object: number,
): HTMLElement | null {
  const { scene, store } = context;
  const measures = measuresOf(scene);
  if (measures.length === 0) {
    return scene.neighbors === null && scene.features.length < scene.n_features
      ? section("Nearest neighbours", note(NOT_HELD))
      : null;
  }
  const measure = measureOf(store.state, measures);
  const near = neighborsOf(scene, object, measure);
  if (near.length === 0) {
    const words = "Values of this object are missing, so its distances are not known.";
    return section("Nearest neighbours", note(words));
  }
  return section(
    "Nearest neighbours",
    measures.length > 1
      ? choice(
          "Distance",
          measures.map((one) => [one, MEASURES[one]] as const),
          measure,
          (neighborsBy) => store.set({ neighborsBy }),
        )
      : null,
    note(`Most like it, ${byWhat(scene, measure)}.${sameClass(scene, object, near)}`),
    neighborTable(context, media, near),
    html("div", { class: "ls-buttons" }, linkButton(context)),
  );
}

function byWhat({ neighbors, features }: Scene, measure: Measure): string {
  if (measure === "model") {
    return "by the distance that the model learned";
  }
  const unit = neighbors?.unit;
  if (!unit) {
    return "by the distances that were given";
  }
  const all = neighbors.weights && features.length > 1 ? " over all features" : "";
  return `by distance in the data${all}, ${lengthUnit(unit)}`;
}

/** How many of them have the class of the object. */
function sameClass(
  { labels, classes }: Scene,
  object: number,
  near: readonly Neighbor[],
): string {
  const own = labels === null ? -1 : classOf(labels, object);
  if (labels === null || own < 0) {
    return "";
  }
  const same = near.filter(({ point }) => classOf(labels, point) === own).length;
  const name = inWords(classTitle({ classes } as Scene, own));
  return ` ${same} of ${near.length} have its class, ${name}.`;
}

function neighborTable(
  context: Context,
  media: Media,
  near: readonly Neighbor[],
): HTMLElement {
  const { scene, store } = context;
  const { labels } = scene;
  const element = table(
    "Nearest neighbours",
    ["id", ...(labels ? ["class"] : []), "distance"],
    near.map(({ point, distance }, k) => [
      // By its place in the list: there the keyboard stays when another one is shown.
      objectLink(context, media, point, `neighbor:${k}`, () => choose(context, point)),
      ...(labels ? [classMark(scene, classOf(labels, point))] : []),
      figure(number(distance), {
        title: String(distance),
        attributes: { "data-value": distance },
      }),
    ]),
  );
  element.classList.add("ls-neighbors");
  element.addEventListener("pointerleave", () => store.set({ hover: null }));
  return element;
}

/** Go to a neighbour, at the level where one is; several chosen points stay chosen. */
function choose({ store }: Context, point: number): void {
  const { selection } = store.state;
  store.set({
    object: point,
    hover: null,
    ...(selection.length > 1 ? {} : { selection: Uint32Array.of(point) }),
  });
}

/** Lines from the object to its neighbours, where the map is. */
function linkButton({ store }: Context): HTMLElement {
  const isShown = areLinked(store.state);
  return button(
    "Show on the map",
    () => store.set({ links: !isShown, level: "data", compressed: false }),
    {
      key: "links",
      title: "Lines from the object to its neighbours: long ones were torn apart",
      "aria-pressed": String(isShown),
    },
  );
}
