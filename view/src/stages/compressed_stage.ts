/** The class centers of the points; larger centers represent more points. */

import { paintIn, shapeIn } from "../color/looks";
import type { Context } from "../context";
import { bounds, placeOf } from "../geometry/plane";
import { cameraFor } from "../map/camera";
import { CLASSES, NAMES } from "../messages";
import type { Compressed } from "../scene/scene";
import { choose, type State } from "../state";
import { html, svg } from "../ui/elements";
import { clickable, moveTo, shapeMark } from "../ui/marks";
import { SvgStage } from "./svg_stage";

const SMALLEST = 3;
const LARGEST = 16;

export class CompressedStage extends SvgStage {
  readonly #centers: Compressed;
  readonly #marks: readonly SVGGElement[];

  constructor(el: HTMLElement, context: Context, centers: Compressed) {
    const { store } = context;
    const box = bounds(centers.positions.data);
    super(el, context, {
      name: "compressed",
      label: CLASSES.centers,
      places: () => centers.positions.data,
      fitted: (size) => cameraFor(box, size, 2 * LARGEST),
      draw: () => this.#draw(),
    });
    this.#centers = centers;
    this.#marks = Array.from(centers.counts.data, (_, k) => this.#mark(k));
    this.svg.append(...this.#marks);
    const words = CLASSES.centersNote(this.#marks.length, context.scene.n_points);
    this.root.append(html("p.ls-stage-words", words));
    this.update(store.state, store.state);
    this.draw();
  }

  override update(state: State, before: State): void {
    const { hiddenClasses, selection } = state;
    super.update(state, before);
    const { labels, member_of } = this.#centers;
    const chosen = new Set(Array.from(selection, (point) => member_of.data[point]));
    this.root.classList.toggle("ls-has-selection", chosen.size > 0);
    this.#marks.forEach((mark, k) => {
      mark.style.display = hiddenClasses.has(labels.data[k]) ? "none" : "";
      mark.classList.toggle("ls-is-chosen", chosen.has(k));
    });
  }

  #mark(k: number): SVGGElement {
    const { scene } = this.context;
    const { counts, labels } = this.#centers;
    const most = counts.data.reduce((a, b) => Math.max(a, b), 1);
    const own = labels.data[k];
    // The area is proportional to the number of points, so the radius is a square root.
    const r = Math.max(LARGEST * Math.sqrt(counts.data[k] / most), SMALLEST);
    const name = scene.classes[own] ?? NAMES.noClass;
    const words = CLASSES.center(counts.data[k], name);
    return clickable(
      () => this.#choose(k),
      words,
      {
        class: "ls-object-mark ls-cluster",
        "data-class": own,
        style: `--ls-quiet-fill: ${paintIn(scene, own, "-quiet")}`,
      },
      svg("title", words),
      shapeMark(shapeIn(scene, own), [0, 0], r, { fill: paintIn(scene, own) }),
    );
  }

  /** Select the points that a center represents; in the disc, the center moves to the middle. */
  #choose(k: number): void {
    const points: number[] = [];
    this.#centers.member_of.data.forEach((center, point) => {
      if (center === k) {
        points.push(point);
      }
    });
    choose(this.context.store, Uint32Array.from(points));
    this.focusOn(placeOf(this.#centers.positions.data, k));
  }

  #draw(): void {
    this.#marks.forEach((mark, k) => {
      moveTo(mark, this.screen(placeOf(this.#centers.positions.data, k)));
    });
  }
}

// A smaller number of centers: the nearest centers of a class are merged (Ward).

interface Group {
  x: number;
  y: number;
  count: number;
  readonly members: number[];
}

/**
 * Keep a share of the centers of each class, at least one. Repeatedly merge the two centers of
 * a class with the smallest cost: n m / (n + m) times their squared distance.
 */
export function mergedCenters(centers: Compressed, share: number): Compressed {
  if (share >= 1) {
    return centers;
  }
  const byClass = new Map<number, Group[]>();
  centers.labels.data.forEach((label, k) => {
    const [x, y] = centers.positions.data.subarray(2 * k, 2 * k + 2);
    const group = { x, y, count: centers.counts.data[k], members: [k] };
    byClass.set(label, [...(byClass.get(label) ?? []), group]);
  });
  const merged = Array.from(byClass, ([label, groups]) =>
    joined(groups, Math.max(1, Math.round(share * groups.length))).map((group) => ({
      ...group,
      label,
    })),
  ).flat();
  const owner = new Uint32Array(centers.labels.data.length);
  merged.forEach(({ members }, k) => {
    for (const member of members) {
      owner[member] = k;
    }
  });
  const n = merged.length;
  return {
    positions: {
      data: Float32Array.from(merged.flatMap(({ x, y }) => [x, y])),
      shape: [n, 2],
    },
    labels: { data: Uint16Array.from(merged, ({ label }) => label), shape: [n] },
    counts: { data: Uint32Array.from(merged, ({ count }) => count), shape: [n] },
    member_of: {
      data: Uint32Array.from(centers.member_of.data, (center) => owner[center]),
      shape: centers.member_of.shape,
    },
  };
}

function joined(groups: readonly Group[], wanted: number): Group[] {
  const left = [...groups];
  while (left.length > wanted) {
    const [i, j] = cheapest(left);
    const [a, b] = [left[i], left[j]];
    const count = a.count + b.count;
    const mean = (u: number, v: number) => (a.count * u + b.count * v) / count;
    left[i] = {
      x: mean(a.x, b.x),
      y: mean(a.y, b.y),
      count,
      members: [...a.members, ...b.members],
    };
    left.splice(j, 1);
  }
  return left;
}

function cheapest(groups: readonly Group[]): [number, number] {
  let best: [number, number] = [0, 1];
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < groups.length; i++) {
    for (let j = i + 1; j < groups.length; j++) {
      const [a, b] = [groups[i], groups[j]];
      const square = (a.x - b.x) ** 2 + (a.y - b.y) ** 2;
      const cost = (a.count * b.count * square) / (a.count + b.count);
      if (cost < least) {
        [best, least] = [[i, j], cost];
      }
    }
  }
  return best;
}
