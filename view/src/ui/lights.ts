/** Lights, which show whether a picture can be trusted: as data, and on the page. */

import { LIGHTS } from "../messages";
import type { Light } from "../scene/scene";
import { type Child, html, svg } from "./elements";

/** The outlines of the marks, on a square of 16 units around the origin. */
const SHAPES: Readonly<Record<LightState, string>> = {
  good: "M-7 0A7 7 0 1 0 7 0A7 7 0 1 0-7 0Z",
  fair: "M0-8L8 0L0 8L-8 0Z",
  bad: "M0-7.5L8 6.5L-8 6.5Z",
  none: "M-5.5 0A5.5 5.5 0 1 0 5.5 0A5.5 5.5 0 1 0-5.5 0Z",
};

/** The shape of a light; a ring means "not tested". */
export function lightShape(state: LightState, color: string): SVGPathElement {
  const isRing = state === "none";
  return svg("path", {
    d: SHAPES[state],
    fill: isRing ? "none" : color,
    stroke: isRing ? color : null,
    "stroke-width": isRing ? 2.5 : null,
  });
}

/** The mark of a light, next to text with the same meaning. */
export function lightMark(state: LightState): SVGSVGElement {
  const attributes = { class: "ls-light-mark", viewBox: "-8 -8 16 16" };
  return svg(
    "svg",
    { ...attributes, "aria-hidden": "true" },
    lightShape(state, `var(--ls-${state})`),
  );
}

/** The lights side by side, each with its question, answer and numbers. */
export function lightList(lights: readonly Light[]): HTMLUListElement {
  return html(
    "ul.ls-lights",
    ...lights.map((light) => {
      const { question, state, answer, figure } = light;
      const title = `${question} ${answer}${lightParts(light)[1]}`;
      // The answer is on one line with the last word of the question, never alone.
      const last = question.lastIndexOf(" ") + 1;
      return html(
        "li.ls-light",
        { "data-light": state, title },
        lightMark(state),
        html(
          "span",
          question.slice(0, last),
          html(
            "span.ls-light-answer",
            `${question.slice(last)} `,
            html("strong", answer),
          ),
        ),
        " ",
        html("span.ls-light-figure", figure),
      );
    }),
  );
}

/** Answer and numbers of a light: "Yes: 98% of held-out rows …". */
export function lightParts({ answer, figure }: Light): Child[] {
  return [html("strong", answer), figure ? `: ${figure}` : ""];
}

export type LightState = Light["state"];

const UNTESTED: readonly Light[] = [LIGHTS.real, LIGHTS.kept].map((question, k) => ({
  question,
  state: "none",
  answer: LIGHTS.untested,
  figure: k === 0 ? LIGHTS.notMeasured : "",
  detail: "",
  measured: "",
}));

/** The lights of a map or of a run; gray lights if nothing was tested. */
export function lightsOf(
  tested?: { lights?: readonly Light[] } | null,
): readonly Light[] {
  return tested?.lights?.length ? tested.lights : UNTESTED;
}
