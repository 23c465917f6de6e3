/** The projection of the map to the stage: by a camera, flat or in a disc. */

import type { Point } from "../geometry/plane";
import { type Camera, type Size, toPlane, toScreen } from "./camera";
import type { HyperbolicDisc } from "./hyperbolic";

export class Projection {
  constructor(
    readonly camera: Camera,
    readonly size: Size,
    readonly disc: HyperbolicDisc | null,
  ) {}

  /** The pixel at which a place of the map is shown. */
  screen(place: Point): Point {
    const [x, y] = this.disc ? this.disc.shown(place) : place;
    return toScreen(this.camera, this.size, x, y);
  }

  /** The place of the map that is shown at a pixel. */
  place(pixel: Point): Point {
    const at = toPlane(this.camera, this.size, pixel[0], pixel[1]);
    return this.disc ? this.disc.placeAt(at) : at;
  }

  /** Whether a pixel is on the stage. */
  isOn([x, y]: Point): boolean {
    return x >= 0 && y >= 0 && x <= this.size.width && y <= this.size.height;
  }

  /** A pixel as a place of the disc; without a disc, the pixel itself. */
  inDisc(pixel: Point): Point {
    return toPlane(this.camera, this.size, pixel[0], pixel[1]);
  }
}

/** Maximum length of the straight parts of a line in the disc, in pixels. */
const PIECE = 6;
const MOST_HALVINGS = 14;

/** Pixels along a straight line of the map, which the disc bends; without its end. */
export function bentLine(
  projection: Projection,
  from: Point,
  to: Point,
  halvings = MOST_HALVINGS,
): Point[] {
  const [ax, ay] = projection.screen(from);
  const [bx, by] = projection.screen(to);
  if (!projection.disc || halvings === 0 || Math.hypot(bx - ax, by - ay) <= PIECE) {
    return [[ax, ay]];
  }
  const middle: Point = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  return [
    ...bentLine(projection, from, middle, halvings - 1),
    ...bentLine(projection, middle, to, halvings - 1),
  ];
}
