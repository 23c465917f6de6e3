/** Polylines: joined end to end, smoothed, and simplified. */

/** x0, y0, x1, y1, … along a line; closed if its ends are equal. */
export type Polyline = readonly number[];

/** Maximum distance by which straightening may move a point of a line. */
const SLACK = 0.6;
const PASSES = 60;

/** Join pieces (x0, y0, x1, y1 each) that meet; lines end where more than two meet. */
export function joined(pieces: readonly number[]): Polyline[] {
  const ends = new Map<string, number[]>();
  const keyOf = (end: number) => `${pieces[2 * end]},${pieces[2 * end + 1]}`;
  for (let end = 0; end < pieces.length / 2; end++) {
    const meeting = ends.get(keyOf(end));
    if (meeting) {
      meeting.push(end);
    } else {
      ends.set(keyOf(end), [end]);
    }
  }
  const isUsed = new Uint8Array(pieces.length / 4);
  const lines: Polyline[] = [];
  /** Follow the line whose first piece begins at an end. */
  const follow = (start: number) => {
    const line = [pieces[2 * start], pieces[2 * start + 1]];
    for (let from: number | undefined = start; from !== undefined; ) {
      const to: number = from ^ 1;
      isUsed[from >> 1] = 1;
      line.push(pieces[2 * to], pieces[2 * to + 1]);
      const meeting: readonly number[] = ends.get(keyOf(to)) ?? [];
      from =
        meeting.length === 2
          ? meeting.find((end) => end !== to && isUsed[end >> 1] === 0)
          : undefined;
    }
    lines.push(line);
  };
  // Lines with ends are followed from an end; the other lines are closed.
  for (const isEnd of [true, false]) {
    for (let end = 0; end < pieces.length / 2; end++) {
      const meets = ends.get(keyOf(end))?.length !== 2;
      if (isUsed[end >> 1] === 0 && meets === isEnd) {
        follow(end);
      }
    }
  }
  return lines;
}

export function lengthOf(line: Polyline): number {
  let sum = 0;
  for (let i = 2; i < line.length; i += 2) {
    sum += Math.hypot(line[i] - line[i - 2], line[i + 1] - line[i - 1]);
  }
  return sum;
}

/** Remove the steps of a grid: straighten a line as far as `SLACK` allows. */
export function straightened(line: Polyline): Polyline {
  const n = line.length;
  const isClosed = n > 4 && line[0] === line[n - 2] && line[1] === line[n - 1];
  let now = Float64Array.from(line);
  for (let pass = 0; pass < PASSES; pass++) {
    const next = now.slice();
    for (let i = isClosed ? 0 : 2; i < n - 2; i++) {
      const before = i < 2 ? now[i + n - 4] : now[i - 2];
      const wanted = (before + 2 * now[i] + now[i + 2]) / 4;
      next[i] = Math.min(Math.max(wanted, line[i] - SLACK), line[i] + SLACK);
    }
    if (isClosed) {
      next.copyWithin(n - 2, 0, 2);
    }
    now = next;
  }
  return Array.from(now);
}

/** The line with the fewest corners within a tolerance (Douglas and Peucker). */
export function simplified(line: Polyline, tolerance: number): Polyline {
  const isKept = new Uint8Array(line.length / 2);
  isKept[0] = isKept[isKept.length - 1] = 1;
  const open: [number, number][] = [[0, isKept.length - 1]];
  for (let part = open.pop(); part; part = open.pop()) {
    const [a, b] = part;
    let [far, most] = [-1, tolerance];
    for (let k = a + 1; k < b; k++) {
      const distance = fromPiece(line, k, a, b);
      if (distance > most) {
        [far, most] = [k, distance];
      }
    }
    if (far >= 0) {
      isKept[far] = 1;
      open.push([a, far], [far, b]);
    }
  }
  return line.filter((_, i) => isKept[i >> 1] === 1);
}

/** Distance of point k of a line from the straight line between points a and b. */
function fromPiece(line: Polyline, k: number, a: number, b: number): number {
  const [ax, ay] = [line[2 * a], line[2 * a + 1]];
  const [dx, dy] = [line[2 * b] - ax, line[2 * b + 1] - ay];
  const [px, py] = [line[2 * k] - ax, line[2 * k + 1] - ay];
  const squared = dx * dx + dy * dy;
  const t = squared > 0 ? Math.min(Math.max((px * dx + py * dy) / squared, 0), 1) : 0;
  return Math.hypot(px - t * dx, py - t * dy);
}
