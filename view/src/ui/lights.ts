/** Lights, which say how far to believe a picture: as data, and on the page. */

import type { Light } from "../scene/scene";
import { html, svg } from "./elements";

/** The outlines of the marks, on a square of 16 units around the origin. */
const SHAPES: Readonly<Record<LightState, string>> = {
  good: "M-7 0A7 7 0 1 0 7 0A7 7 0 1 0-7 0Z",
  fair: "M0-8L8 0L0 8L-8 0Z",
  bad: "M0-7.5L8 6.5L-8 6.5Z",
  none: "M-5.5 0A5.5 5.5 0 1 0 5.5 0A5.5 5.5 0 1 0-5.5 0Z",
};

/** The shape of a light; one that was not tested is a ring. */
export function lightShape(state: LightState, color: string): SVGPathElement {
  const isRing = state === "none";
  return svg("path", {
    d: SHAPES[state],
    fill: isRing ? "none" : color,
    stroke: isRing ? color : null,
    "stroke-width": isRing ? 2.5 : null,
  });
}

/** The mark of a light, beside words that say the same. */
export function lightMark(state: LightState): SVGSVGElement {
  const attributes = { class: "ls-light-mark", viewBox: "-8 -8 16 16" };
  return svg(
    "svg",
    { ...attributes, "aria-hidden": "true" },
    lightShape(state, `var(--ls-${state})`),
  );
}

/** The lights side by side, each with its question, its answer and the figure. */
export function lightList(lights: readonly Light[]): HTMLUListElement {
  return html(
    "ul",
    { class: "ls-lights" },
    ...lights.map((light) =>
      html(
        "li",
        { class: "ls-light", "data-light": light.state, title: lightWords(light) },
        lightMark(light.state),
        html("span", {}, `${light.question} `, html("strong", {}, light.answer)),
        " ",
        html("span", { class: "ls-light-figure" }, unbroken(light.figure)),
      ),
    ),
  );
}

/** A number stays on the line of its name: "p = 0.002". */
function unbroken(figure: string): string {
  return figure.replaceAll(" = ", "\u00a0=\u00a0");
}

// The lights of a picture: how far to believe it, as questions with short answers.

export type LightState = Light["state"];

/** What is known of honesty: of a map in a scene, or of a run of the app. */
interface Said {
  readonly lights?: readonly Light[];
}

const UNTESTED: readonly Light[] = [
  {
    question: "Is it real?",
    state: "none",
    answer: "not tested",
    figure: "honesty was not measured",
  },
  { question: "How much is kept?", state: "none", answer: "not tested", figure: "" },
];

/** The lights; grey ones where nothing was measured. */
export function lightsOf(said: Said | null | undefined): readonly Light[] {
  return said?.lights?.length ? said.lights : UNTESTED;
}

/** A light in one line of text. */
function lightWords({ question, answer, figure }: Light): string {
  return `${question} ${answer}${figure ? `: ${figure}` : ""}`;
}
