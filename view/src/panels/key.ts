/** A small key to the marks on the stage, except for colors. */

import { showsClasses } from "../color/coloring";
import { type Context, shownOf } from "../context";
import { KEY } from "../messages";
import { FEWEST_POINTS, SHARES } from "../regions/density";
import { CERTAINTIES, linesOf } from "../regions/region_lines";
import { isHatched } from "../regions/regions";
import { borderOnMap, storedExplanation } from "../scene/explanation";
import { ringed, undecided } from "../scene/marked_points";
import { measuresOf } from "../scene/neighbors";
import type { Scene } from "../scene/scene";
import { areLinked, type State } from "../state";
import { drawing, html, svg } from "../ui/elements";
import { diamondPath } from "../ui/marks";

type Kind =
  | "prototype"
  | "object"
  | "region"
  | "lines"
  | "far"
  | "pale"
  | "density"
  | "held_out"
  | "contradiction"
  | "suspect"
  | "arrow"
  | "neighbor"
  | "border";

interface Entry {
  readonly kind: Kind;
  readonly words: string;
}

export const SWATCH = { width: 18, height: 12 } as const;

const BORDER: Entry = { kind: "border", words: KEY.border };

/** The marks that are on the stage now. */
export function keyOf(scene: Scene, state: State): Entry[] {
  if (state.level === "classes") {
    return [
      { kind: "prototype", words: KEY.prototypeSized },
      { kind: "object", words: KEY.point },
    ];
  }
  if (state.level === "object") {
    const isExplained =
      scene.model?.metric &&
      state.object !== null &&
      (storedExplanation(scene.model, state.object)?.change_distance ?? null) !== null;
    return [
      { kind: "prototype", words: KEY.nearestPrototype },
      ...(isExplained ? [BORDER] : []),
    ];
  }
  if (shownOf(scene, state) === "centers") {
    return [{ kind: "object", words: KEY.centerSized }];
  }
  const map = scene.maps[state.map];
  const regions = state.regions ? map.regions : null;
  const lines = regions && linesOf(regions);
  const sure = CERTAINTIES.filter((_, k) => lines?.isolines[k].length);
  const isByClass = showsClasses(scene, state.map, state.colorBy);
  const entries: [unknown, Entry][] = [
    [map.prototypes && state.marks, { kind: "prototype", words: KEY.prototype }],
    [
      regions && isByClass,
      {
        kind: "region",
        words: KEY.region(regions?.by ?? "", regions?.accuracy ?? null),
      },
    ],
    [sure.length && isByClass, { kind: "lines", words: KEY.certainty(sure) }],
    [
      lines?.shareFar && regions && (isByClass || isHatched(regions)),
      { kind: regions && isHatched(regions) ? "far" : "pale", words: KEY.far },
    ],
    [
      state.density && scene.n_points > FEWEST_POINTS,
      { kind: "density", words: KEY.density(SHARES) },
    ],
    [
      scene.held_out,
      { kind: "held_out", words: scene.new_rows ? KEY.newRows : KEY.heldOut },
    ],
    [
      regions && ringed(map).length,
      { kind: "contradiction", words: KEY.contradiction },
    ],
    [undecided(scene, state).length, { kind: "suspect", words: KEY.suspect }],
    [map.arrows && state.arrows, { kind: "arrow", words: KEY.arrow }],
    [
      areLinked(state) && measuresOf(scene).length,
      { kind: "neighbor", words: KEY.neighbor },
    ],
    [
      state.tab === "object" &&
        state.object !== null &&
        borderOnMap(scene, state.map, state.object),
      BORDER,
    ],
  ];
  return entries.filter(([has]) => has).map(([, entry]) => entry);
}

function outline(width: number) {
  return { stroke: "currentColor", "stroke-width": width };
}

/** A small picture of a mark, in the color of its text. */
export function swatch(kind: Kind): SVGGElement {
  const line = (d: string, opacity: number) =>
    svg("path", { d, fill: "none", stroke: "currentColor", "stroke-opacity": opacity });
  const block = (x: number, opacity: number) =>
    svg("rect", {
      x,
      width: 8.5,
      height: 12,
      fill: "currentColor",
      "fill-opacity": opacity,
    });
  const diamond = line(diamondPath(5), 1);
  diamond.setAttribute("transform", "translate(9 6)");
  diamond.setAttribute("stroke-width", "2");
  const parts = {
    prototype: () => [diamond],
    object: () => [svg("circle", { cx: 9, cy: 6, r: 3.5, fill: "currentColor" })],
    region: () => [block(0, 0.12), block(9.5, 0.28)],
    lines: () => [
      line("M0 3.5Q9-1.5 18 3.5", 0.35),
      line("M0 7.5Q9 2.5 18 7.5", 0.6),
      line("M0 11.5Q9 6.5 18 11.5", 0.9),
    ],
    held_out: () => [
      svg("circle", { cx: 9, cy: 6, r: 3.5, fill: "none", ...outline(2.5) }),
    ],
    contradiction: () => [
      svg("circle", { cx: 9, cy: 6, r: 2.5, fill: "currentColor" }),
      svg("circle", { cx: 9, cy: 6, r: 5, fill: "none", ...outline(1.5) }),
    ],
    suspect: () => [
      svg("circle", { cx: 9, cy: 6, r: 2, fill: "currentColor" }),
      svg("circle", {
        cx: 9,
        cy: 6,
        r: 5,
        fill: "none",
        "stroke-dasharray": "3 1.5",
        ...outline(1.5),
      }),
    ],
    arrow: () => [line("M1 10 16 3M10.5 2 16 3 12.5 7.5", 1)],
    neighbor: () => [
      line("M0 6H10", 1),
      svg("circle", { cx: 13.5, cy: 6, r: 3.5, fill: "none", ...outline(1) }),
    ],
    border: () => [line("M1 6H14M10.5 3 14 6 10.5 9M16 0.5V11.5", 1)],
    density: () => [
      svg("ellipse", { cx: 9, cy: 6, rx: 8, ry: 5, fill: "none", ...outline(0.75) }),
      svg("ellipse", { cx: 8, cy: 6, rx: 4, ry: 2.5, fill: "none", ...outline(1.5) }),
    ],
    pale: () => [block(0, 0.05), block(9.5, 0.09)],
    far: () => [line("M0 5 5 0M0 12 12 0M6 12 18 0M13 12 18 7", 0.6)],
  };
  return svg("g", ...parts[kind]());
}

export class KeyPanel {
  readonly #el = html("ul.ls-map-key", { "aria-label": KEY.label });
  readonly #context: Context;
  #shown = "";

  constructor(el: HTMLElement, context: Context) {
    this.#context = context;
    el.append(this.#el);
    context.store.on((state) => this.#draw(state));
    this.#draw(context.store.state);
  }

  #draw(state: State): void {
    // Fitted and held-out rows have their own entries in the legend.
    const entries = keyOf(this.#context.scene, state).filter(
      ({ kind }) => kind !== "held_out",
    );
    const shown = entries.map(({ words }) => words).join();
    if (shown === this.#shown) {
      return;
    }
    this.#shown = shown;
    const { width, height } = SWATCH;
    this.#el.replaceChildren(
      ...entries.map(({ kind, words }) =>
        html(
          "li",
          drawing(width, height, { "aria-hidden": "true" }, swatch(kind)),
          words,
        ),
      ),
    );
  }
}
