/** The focus of the fisheye view (a hyperbolic disc): flights, dragging, and bending. */

import { duration } from "../color/theme";
import type { Point } from "../geometry/plane";
import type { Disc, Store } from "../state";
import { Motion } from "./camera";
import { HyperbolicDisc, toward, usualDisc } from "./hyperbolic";
import type { Projection } from "./projection";

/** A picture that can be shown in the disc. */
export interface Bent {
  /** The place around which the disc is bent. */
  readonly base: Point;
  /** The places of all objects: x0, y0, x1, y1, … */
  places(): ArrayLike<number>;
  projection(): Projection;
}

const TRAVEL = 600;
/** Maximum time in milliseconds between the clicks of a double click. */
const DOUBLE = 400;
/** A dragged place closer to the middle of the disc, in pixels, moves to the middle. */
const SNAP = 6;
/** The least and greatest bending of the disc, as multiples of the default. */
const STRENGTHS = [0.1, 6];

export class DiscFocus {
  #grabbed: Point | null = null;
  readonly #flight = new Motion();
  #still = 0;

  constructor(
    private readonly store: Store,
    private readonly picture: Bent,
  ) {}

  /** The first disc of the picture. */
  usual(): Disc {
    return usualDisc(this.picture.places(), this.picture.base);
  }

  /** Whether the picture is moving, or has just moved under the pointer. */
  get isMoving(): boolean {
    return performance.now() < this.#still;
  }

  /** Move a place to the middle, along a straight line of the disc. */
  fly(to: Point, strength?: number): void {
    const { disc } = this.store.state;
    if (!disc) {
      return;
    }
    const milliseconds = duration(TRAVEL);
    const from = new HyperbolicDisc(this.picture.base, disc);
    const goal = from.shown(to);
    const ratio = (strength ?? disc.strength) / disc.strength;
    let last = disc;
    this.#still = performance.now() + Math.max(milliseconds, DOUBLE);
    this.#flight.play(milliseconds, (share) => {
      if (this.store.state.disc !== last) {
        this.#flight.stop(); // another action has moved the disc in the meantime
        return;
      }
      const focus = share < 1 ? from.placeAt(toward(goal, share)) : to;
      last = { focus, strength: disc.strength * ratio ** share };
      this.store.set({ disc: last });
    });
  }

  /** Show the disc as at first. */
  goHome(): void {
    const { focus, strength } = this.usual();
    this.fly(focus, strength);
  }

  /** Start to drag a place. */
  grab(place: Point): void {
    this.#flight.stop();
    this.#grabbed = place;
  }

  /** Move the disc so that the dragged place is under the pointer. */
  drag(pixel: Point): void {
    const { disc } = this.store.state;
    const place = this.#grabbed;
    if (!disc || !place) {
      return;
    }
    const projection = this.picture.projection();
    const to = projection.inDisc(pixel);
    const isThere = Math.hypot(to[0], to[1]) * projection.camera.scale < SNAP;
    const bent = new HyperbolicDisc(this.picture.base, disc);
    const focus = isThere ? place : bent.focusBringing(place, to);
    this.store.set({ disc: { ...disc, focus } });
  }

  /** End the drag. */
  release(): void {
    this.#grabbed = null;
  }

  /** Bend the disc more or less. */
  bend(factor: number): void {
    const { disc } = this.store.state;
    if (disc) {
      const [least, most] = STRENGTHS.map((times) => times * this.usual().strength);
      const strength = Math.min(Math.max(disc.strength * factor, least), most);
      this.store.set({ disc: { ...disc, strength } });
    }
  }

  destroy(): void {
    this.#flight.stop();
  }
}
