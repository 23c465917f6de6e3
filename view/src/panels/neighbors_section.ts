/** The points most similar to a point: a list, and lines to them on the map. */

import type { Context } from "../context";
import { number } from "../format";
import { NAMES, NEIGHBORS } from "../messages";
import { classOf, classTitle, inWords } from "../scene/names";
import {
  type Measure,
  measuresOf,
  type Neighbor,
  neighborsOf,
} from "../scene/neighbors";
import type { Scene } from "../scene/scene";
import { areLinked, measureOf } from "../state";
import { button, figure, html } from "../ui/elements";
import {
  choice,
  classMark,
  note,
  objectLink,
  section,
  type TabPage,
  table,
} from "./parts";

/** The nearest neighbors of a point; null if they are unknown. */
export function neighborsSection(page: TabPage, object: number): HTMLElement | null {
  const { scene, store } = page.context;
  const measures = measuresOf(scene);
  if (measures.length === 0) {
    return scene.neighbors === null && scene.features.length < scene.n_features
      ? section(NEIGHBORS.title, note(NEIGHBORS.notHeld))
      : null;
  }
  const measure = measureOf(store.state, measures);
  const near = neighborsOf(scene, object, measure);
  if (near.length === 0) {
    return section(NEIGHBORS.title, note(NEIGHBORS.missing));
  }
  return section(
    NEIGHBORS.title,
    measures.length > 1
      ? choice(
          "Distance",
          measures.map((one) => [one, NEIGHBORS.measures[one]] as const),
          measure,
          (neighborsBy) => store.set({ neighborsBy }),
        )
      : null,
    note(NEIGHBORS.note(byWhat(scene, measure), sameClass(scene, object, near))),
    neighborTable(page, near),
    html("div.ls-buttons", linkButton(page.context)),
  );
}

function byWhat({ neighbors, features }: Scene, measure: Measure): string {
  if (measure === "model") {
    return NEIGHBORS.byModel;
  }
  const isAll = Boolean(neighbors?.weights) && features.length > 1;
  return neighbors?.unit
    ? NEIGHBORS.byData(isAll, NAMES.units[neighbors.unit])
    : NEIGHBORS.byGiven;
}

/** The number of neighbors that have the class of the point. */
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
  return NEIGHBORS.same(same, near.length, name);
}

function neighborTable(page: TabPage, near: readonly Neighbor[]): HTMLElement {
  const { scene, store } = page.context;
  const { labels } = scene;
  const element = table(
    NEIGHBORS.title,
    ["id", ...(labels ? ["class"] : []), "distance"],
    near.map(({ point, distance }, k) => [
      // The key is the rank, so the keyboard focus stays at this rank for another point.
      objectLink(page, point, `neighbor:${k}`, () => choose(page.context, point)),
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

/** Open a neighbor on the current level; a selection of several points remains. */
function choose({ store }: Context, point: number): void {
  const { selection } = store.state;
  store.set({
    object: point,
    hover: null,
    ...(selection.length > 1 ? {} : { selection: Uint32Array.of(point) }),
  });
}

/** A button for lines from the point to its neighbors, if a map is shown. */
function linkButton({ store }: Context): HTMLElement {
  const isShown = areLinked(store.state);
  return button(
    NEIGHBORS.show,
    () => store.set({ links: !isShown, level: "data", compressed: false }),
    { key: "links", title: NEIGHBORS.showTitle, "aria-pressed": String(isShown) },
  );
}
