/** The nearest point of the class border: an arrow that leads there, and a piece of border. */

import { svg } from "../../ui/elements";
import { linePath, type Point } from "../geometry";
import { arrowPath } from "./arrow_marks";

/** Half the length of the piece of border, in pixels. */
const HALF = 9;
/** A shorter arrow has no room for its head. */
const SHORTEST = 10;

export class BorderMark {
  readonly el = svg("g", { class: "ls-border", role: "img" });
  readonly #title = svg("title", {});
  readonly #paths = ["ls-border-edge", "ls-border-line"].map((look) =>
    svg("path", { class: look }),
  );

  constructor() {
    this.el.append(this.#title, ...this.#paths);
    this.hide();
  }

  hide(): void {
    this.el.style.display = "none";
  }

  /** Draw it along pixels from the object to the border, in the colour of the other class. */
  draw(line: readonly Point[], color: string, words: string): void {
    const d = borderPath(line);
    this.el.style.display = d ? "" : "none";
    this.el.setAttribute("aria-label", words);
    this.#title.textContent = words;
    for (const path of this.#paths) {
      path.setAttribute("d", d);
    }
    this.#paths[1].style.stroke = color;
  }
}

/** An arrow, and across its end a piece of the border; nothing without a direction. */
export function borderPath(line: readonly Point[]): string {
  const end = line[line.length - 1];
  const [before] = line
    .filter(([x, y]) => Math.hypot(x - end[0], y - end[1]) > 0.01)
    .slice(-1);
  if (!before) {
    return "";
  }
  const [dx, dy] = [end[0] - before[0], end[1] - before[1]];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const across = [-HALF, HALF].map(
    (far): Point => [end[0] - far * uy, end[1] + far * ux],
  );
  const [start] = line;
  const far = Math.hypot(end[0] - start[0], end[1] - start[1]);
  return (far >= SHORTEST ? arrowPath(line) : linePath(line)) + linePath(across);
}
