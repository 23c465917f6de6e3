/** The positions of the points of the shown map: on a plane, in 3-D, or in the disc. */

import type { Context } from "../context";
import { type FirstFrame, firstFrame } from "../geometry/first_frame";
import type { Box, Point } from "../geometry/plane";
import { type Camera, type CameraControl, cameraFor } from "../map/camera";
import type { Bent } from "../map/disc_focus";
import { Grid } from "../map/grid";
import { HyperbolicDisc, middle } from "../map/hyperbolic";
import { Projection } from "../map/projection";
import type { Disc } from "../state";
import { Solid } from "./solid";

const DISC: Box = { x0: -1, y0: -1, x1: 1, y1: 1 };
/** Pixels around the disc. */
const RIM = 12;

export class MapPlaces implements Bent {
  readonly #context: Context;
  readonly #control: CameraControl;
  #forming: Float32Array | null = null;
  #first: FirstFrame = { frame: DISC, whole: DISC, nOutside: 0 };
  /** The current view of a 3-D map; null for a plane. */
  solid: Solid | null = null;
  /** The points at their positions on the stage, for searches. */
  grid = new Grid(new Float32Array());
  /** The place around which the disc is bent. */
  base: Point = [0, 0];
  /** The drawn positions of the points: those of the map, or in the disc. */
  shown = this.grid.positions;

  constructor(context: Context, control: CameraControl) {
    this.#context = context;
    this.#control = control;
    this.settle();
  }

  places(): Float32Array {
    return this.grid.positions;
  }

  /** Whether the map is still being fitted. */
  get isForming(): boolean {
    return this.#forming !== null;
  }

  /** The disc of a plane; 3-D maps have none. */
  get disc(): Disc | null {
    return this.solid ? null : this.#context.store.state.disc;
  }

  /** The part of the plane that the points fill, as they are drawn. */
  get frame(): Box {
    return this.disc ? DISC : this.#first.frame;
  }

  /** The number of points outside the part that is shown first; 0 during a fit. */
  get nOutside(): number {
    return this.disc || this.isForming ? 0 : this.#first.nOutside;
  }

  /** Use the positions of a map during its fit; null returns to those of the scene. */
  form(positions: Float32Array | null): boolean {
    const isNew = positions !== this.#forming;
    this.#forming = positions;
    if (isNew) {
      this.settle();
    }
    return isNew;
  }

  /** Compute the positions for another map. */
  settle(): void {
    const { scene, store } = this.#context;
    const { turn, map: index } = store.state;
    const map = scene.maps[index];
    this.solid = this.#forming ? null : Solid.of(map, turn);
    const flat = this.#forming ?? map.positions.data;
    this.grid = new Grid(this.solid?.positions ?? flat);
    const { positions } = this.grid;
    const marked = this.#forming ? [] : (map.prototypes?.data ?? []);
    this.base = middle(positions);
    this.#first = this.solid?.space.first ?? firstFrame(positions, marked);
    this.project();
  }

  /** Compute the positions of a 3-D map for its current rotation. */
  turn(): void {
    if (this.solid) {
      this.solid.turn(this.#context.store.state.turn);
      this.grid = new Grid(this.solid.positions);
      this.shown = this.grid.positions;
    }
  }

  /** Compute the drawn positions for the current disc. */
  project(): void {
    const { disc } = this;
    const { positions } = this.grid;
    if (disc) {
      this.shown = new Float32Array(positions.length);
      new HyperbolicDisc(this.base, disc).shownAll(positions, this.shown);
    } else {
      this.shown = positions;
    }
  }

  /** The current projection of the map to the stage. */
  projection(): Projection {
    const { camera, size } = this.#control;
    const { disc } = this;
    return new Projection(camera, size, disc && new HyperbolicDisc(this.base, disc));
  }

  /** The first camera of the map. */
  home(): Camera {
    return this.#cameraFor(this.#first.frame);
  }

  /** The camera that shows all points. */
  whole(): Camera {
    return this.#cameraFor(this.#first.whole);
  }

  #cameraFor(frame: Box): Camera {
    const { size } = this.#control;
    return this.disc ? cameraFor(DISC, size, RIM) : cameraFor(frame, size);
  }
}
