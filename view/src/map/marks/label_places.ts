/** Names beside marks, none over another. */

interface Named {
  /** Middle and half width of the mark, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Width of the name. */
  readonly width: number;
}

export interface Place {
  readonly x: number;
  /** Middle of the line. */
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
}

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const LINE = 16;
const GAP = 4;

/**
 * A place for each name, the first ones served first: to the right of its mark, to the
 * left, below, above. Null where all of these are taken.
 */
export function besideMarks(
  marks: readonly Named[],
  width: number,
  height: number,
): (Place | null)[] {
  const taken: Rectangle[] = marks.map(({ x, y, radius }) => roomOf(x, y, radius));
  return marks.map((mark, own) => {
    for (const [place, room] of candidates(mark)) {
      const isInside =
        room.left >= 0 && room.top >= 0 && room.right <= width && room.bottom <= height;
      if (isInside && taken.every((other, i) => i === own || !overlap(room, other))) {
        taken.push(room);
        return place;
      }
    }
    return null;
  });
}

function candidates({ x, y, radius, width }: Named): [Place, Rectangle][] {
  const away = radius + GAP;
  const below = away + LINE / 2;
  return [
    [{ x: x + away, y, anchor: "start" }, around(x + away, y, width, LINE)],
    [{ x: x - away, y, anchor: "end" }, around(x - away - width, y, width, LINE)],
    [
      { x, y: y + below, anchor: "middle" },
      around(x - width / 2, y + below, width, LINE),
    ],
    [
      { x, y: y - below, anchor: "middle" },
      around(x - width / 2, y - below, width, LINE),
    ],
  ];
}

/** The room that a mark takes. */
export function roomOf(x: number, y: number, radius: number): Rectangle {
  return around(x - radius, y, 2 * radius, 2 * radius);
}

/** The room of a name, from its left end and the middle of its line. */
export function around(
  left: number,
  y: number,
  width: number,
  height: number,
): Rectangle {
  return { left, right: left + width, top: y - height / 2, bottom: y + height / 2 };
}

export function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
