/** A map of three dimensions on the data stage: its visible points, and its axes. */

import { type Shade, TONES } from "../color/colors";
import type { Depths } from "../color/points";
import { type Place, rowsOf, type Seen, Space, type Turn } from "../geometry/space";
import { type Anchor, classRows, named } from "../map/marks/labels";
import type { Codes, SceneMap, Tensor } from "../scene/scene";
import { svg } from "../ui/elements";

/** Distance of the cross of axes from the lower left corner, and its size. */
const [CORNER, ARM, NAME] = [46, 26, 35];

/** The middle of a class in space. */
interface Middle {
  readonly index: number;
  readonly text: string;
  readonly place: Place;
}

export class Solid {
  readonly space: Space;
  readonly #map: SceneMap;
  #middles: { of: Tensor<Codes>; all: readonly Middle[] } | null = null;
  #turn: Turn;
  #seen: Seen;

  /** Null for a flat map. */
  static of(map: SceneMap, turn: Turn): Solid | null {
    return map.depth ? new Solid(map, map.depth.points.data, turn) : null;
  }

  private constructor(map: SceneMap, depths: Float32Array, turn: Turn) {
    this.#map = map;
    this.space = new Space(map.positions.data, depths);
    this.#turn = turn;
    this.#seen = this.space.seeAll(turn);
  }

  turn(turn: Turn): void {
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#seen = this.space.seeAll(turn);
    }
  }

  /** The current positions of the points on the plane of the screen. */
  get positions(): Float32Array {
    return this.#seen.positions;
  }

  depths(shade: Shade): Depths {
    const { order, nearness } = this.#seen;
    return { order, nearness, paper: TONES[shade].paper };
  }

  /** The current positions of the prototypes; null if there are none. */
  prototypes(): Float32Array | null {
    const { prototypes, depth } = this.#map;
    const depths = depth?.prototypes?.data;
    if (!prototypes || !depths) {
      return null;
    }
    const places = Array.from(depths, (z, k): Place => {
      const [x, y] = prototypes.data.subarray(2 * k, 2 * k + 2);
      return [x, y, z];
    });
    return Float32Array.from(
      places.flatMap((place) => this.space.see(this.#turn, place)),
    );
  }

  /** Names of classes at the current positions of the middles of their points. */
  anchors(classes: Tensor<Codes>, names: readonly string[]): Anchor[] {
    if (this.#middles?.of !== classes) {
      this.#middles = { of: classes, all: this.#find(classes, names) };
    }
    return this.#middles.all.map(({ index, text, place }) => ({
      index,
      text,
      place: this.space.see(this.#turn, place),
    }));
  }

  #find(classes: Tensor<Codes>, names: readonly string[]): Middle[] {
    const rows = classRows(classes, names.length);
    return named(rows, names).map(({ index, text }) => ({
      index,
      text,
      place: this.#middle(rows[index]),
    }));
  }

  #middle(rows: readonly number[]): Place {
    const places = rows.map((row) => this.space.place(row));
    return [0, 1, 2].map((axis) => {
      const values = Float32Array.from(places, (place) => place[axis]).sort();
      return values[values.length >> 1];
    }) as unknown as Place;
  }
}

/** The three axes of the map, in a corner of the stage. */
export class AxesCross {
  readonly el = svg("svg.ls-layer.ls-axes", { "aria-hidden": "true" });

  /** Draw the axes in their current rotation; null removes them. */
  draw(turn: Turn | null, height: number): void {
    this.el.replaceChildren();
    if (turn === null) {
      return;
    }
    const [right, up, near] = rowsOf(turn);
    const axes = [0, 1, 2]
      .map((axis) => ({ axis, x: right[axis], y: -up[axis], z: near[axis] }))
      .sort((a, b) => a.z - b.z);
    const [cx, cy] = [CORNER, height - CORNER];
    for (const { axis, x, y } of axes) {
      const at = (length: number) => [cx + length * x, cy + length * y];
      const [x2, y2] = at(ARM).map((value) => value.toFixed(1));
      const [tx, ty] = at(NAME).map((value) => value.toFixed(1));
      this.el.append(
        svg("line", { x1: cx, y1: cy, x2, y2 }),
        svg("text", { x: tx, y: ty }, String(axis + 1)),
      );
    }
  }
}
