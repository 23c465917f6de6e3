/** How a map of three dimensions is turned: a unit quaternion x, y, z, w. */

export type Turn = readonly [number, number, number, number];
/** A place in space. */
export type Place = readonly [number, number, number];
/** Rows of a rotation: to the right, upwards, towards who looks. */
export type Rows = readonly [Place, Place, Place];

/** A map turns by this angle for each pixel of a drag. */
const PER_PIXEL = 0.008;

/** The turn by an angle around an axis of length 1. */
export function around([x, y, z]: Place, angle: number): Turn {
  const s = Math.sin(angle / 2);
  return [x * s, y * s, z * s, Math.cos(angle / 2)];
}

/** One turn after another, as one. */
export function after([ax, ay, az, aw]: Turn, [bx, by, bz, bw]: Turn): Turn {
  const turn = [
    bw * ax + bx * aw + by * az - bz * ay,
    bw * ay - bx * az + by * aw + bz * ax,
    bw * az + bx * ay - by * ax + bz * aw,
    bw * aw - bx * ax - by * ay - bz * az,
  ];
  // Many small turns would make it longer or shorter by rounding.
  const length = Math.hypot(...turn);
  return turn.map((part) => part / length) as unknown as Turn;
}

/** A turn that a drag by some pixels has changed: what is in front follows the pointer. */
export function dragged(turn: Turn, dx: number, dy: number): Turn {
  return after(
    after(turn, around([0, 1, 0], PER_PIXEL * dx)),
    around([1, 0, 0], PER_PIXEL * dy),
  );
}

export function rowsOf([x, y, z, w]: Turn): Rows {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
}

/** At first a little from the side and from above, so that all three directions show. */
export const FIRST_TURN: Turn = after(
  around([0, 1, 0], -0.45),
  around([1, 0, 0], 0.35),
);
