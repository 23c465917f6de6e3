/** The focus of the disc: brought to a place in a smooth motion, dragged, bent more or less. */

import { duration } from "../color/theme";
import type { Disc, Store } from "../state";
import { Motion } from "./camera";
import type { Point } from "./geometry";
import { HyperbolicDisc, toward, usualDisc } from "./hyperbolic";
import type { Projection } from "./projection";

/** A picture that can be bent into the disc. */
export interface Bent {
  /** The place around which the disc is bent. */
  readonly base: Point;
  /** Where everything is: x0, y0, x1, y1, … */
  places(): ArrayLike<number>;
  projection(): Projection;
}

const TRAVEL = 600;
/** Milliseconds in which a second click belongs to the first. */
const DOUBLE = 400;
/** Closer than this to the middle of the disc, in pixels, a dragged place is there. */
const SNAP = 6;
/** How far the disc can be bent, times what is usual. */
const STRENGTHS = [0.1, 6];

export class DiscFocus {
  #grabbed: Point | null = null;
  readonly #flight = new Motion();
  #still = 0;

  constructor(
    private readonly store: Store,
    private readonly picture: Bent,
  ) {}

  /** The disc that the picture is first shown in. */
  usual(): Disc {
    return usualDisc(this.picture.places(), this.picture.base);
  }

  /** Whether the picture moves, or has just moved under the pointer. */
  get isMoving(): boolean {
    return performance.now() < this.#still;
  }

  /** Bring a place to the middle, on the straight way that the disc knows. */
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
        this.#flight.stop(); // it was moved otherwise meanwhile
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

  /** A place is taken hold of, to be dragged. */
  grab(place: Point): void {
    this.#flight.stop();
    this.#grabbed = place;
  }

  /** Move the disc so that what was grabbed is under the pointer. */
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

  /** Let go of what was dragged. */
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
