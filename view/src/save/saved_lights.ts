/** The lights of a saved picture: one line each, with shape, answer and figure. */

import type { Shade } from "../color/colors";
import type { LightState } from "../scene/lights";
import type { Light } from "../scene/scene";
import { wrapped } from "../scene/words/text";
import { svg } from "../ui/elements";
import { lightShape } from "../ui/lights";

/** As in `tokens.css`. */
export const LIGHT_COLORS: Readonly<
  Record<Shade, Readonly<Record<LightState, string>>>
> = {
  light: { good: "#00866f", fair: "#b88900", bad: "#a62314", none: "#7d848d" },
  dark: { good: "#2fbfa3", fair: "#e0b000", bad: "#f0806e", none: "#8d959f" },
};

const LINE = 20;
/** Room for a mark, and where the first line of words stands. */
const MARK = 22;
const BASE = 14;
/** About how wide a letter is. */
const LETTER = 6.5;

interface SavedLights {
  readonly el: SVGGElement;
  readonly height: number;
}

/** The lights below each other, on so much room. */
export function savedLights(
  lights: readonly Light[],
  shade: Shade,
  width: number,
): SavedLights {
  const el = svg("g", { "font-size": 13 });
  let y = 0;
  for (const { question, state, answer, figure } of lights) {
    const mark = lightShape(state, LIGHT_COLORS[shade][state]);
    mark.setAttribute("transform", `translate(8 ${y + BASE - 5}) scale(0.85)`);
    el.append(mark);
    const head = `${question} ${answer}`;
    const said = figure ? `${head}  ${figure}` : head;
    wrapped(said, Math.floor((width - MARK) / LETTER)).forEach((line, k) => {
      const isHead = k === 0 && line.startsWith(head);
      el.append(
        svg(
          "text",
          { x: MARK, y: y + BASE },
          ...(isHead
            ? [
                svg("tspan", { "font-weight": 600 }, head),
                svg("tspan", { dx: 8, opacity: 0.75 }, line.slice(head.length).trim()),
              ]
            : [svg("tspan", { opacity: 0.75 }, line)]),
        ),
      );
      y += LINE;
    });
  }
  return { el, height: y };
}
