/** All maps of a comparison side by side: what is pointed at or chosen in one is so in all. */

import { TONES } from "../color/colors";
import { shadeOf } from "../color/theme";
import type { Context, Panel } from "../context";
import { note } from "../panels/parts";
import { adviceOf, comparisonTable, openersOf } from "../panels/quality/comparison";
import { savedLights } from "../save/saved_lights";
import type { ComparisonTable } from "../scene/scene";
import type { State } from "../state";
import { html, svg } from "../ui/elements";
import { SmallMap } from "./small_map";

const HINT =
  "Point at an object, or draw a line around some: they are marked in all maps. " +
  "The name of a map shows it alone; below them is a table of all numbers.";

export class TogetherStage implements Panel {
  readonly #context: Context;
  readonly #sheet = html("div", { class: "ls-together" });
  readonly #grid = html("div", { class: "ls-small-maps" });
  readonly #maps: readonly SmallMap[];

  constructor(el: HTMLElement, context: Context, compared: ComparisonTable) {
    const { scene } = context;
    this.#context = context;
    el.classList.add("ls-data");
    el.append(this.#sheet);
    const openers = openersOf(context);
    const { recommended } = compared;
    this.#maps = scene.maps.map((_, index) => new SmallMap(context, index, openers));
    for (const map of this.#maps) {
      map.el.toggleAttribute("data-recommended", map.name === recommended);
    }
    this.#grid.append(...this.#maps.map((map) => map.el));
    this.#sheet.append(
      adviceOf(compared),
      note(HINT),
      this.#grid,
      comparisonTable(compared, "", openers),
    );
  }

  update(state: State, before: State): void {
    for (const map of this.#maps) {
      map.update(state, before);
    }
  }

  /** All maps in one picture, each under its name and lights. */
  async drawing(): Promise<SVGSVGElement> {
    const shade = shadeOf(this.#context.store.state.theme);
    const { ink } = TONES[shade];
    const all = this.#grid.getBoundingClientRect();
    const size = { width: Math.round(all.width), height: Math.round(all.height) };
    const page = svg("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}` });
    for (const map of this.#maps) {
      const box = map.plot.getBoundingClientRect();
      const [x, y] = [box.left - all.left, box.top - all.top];
      // The figures behind them have no room beside small maps.
      const brief = map.lights.map((light) => ({ ...light, figure: "" }));
      const lights = savedLights(brief, shade, box.width);
      const top = y - lights.height;
      lights.el.setAttribute("transform", `translate(${x} ${top})`);
      page.append(
        svg("text", { x, y: top - 4, fill: ink, "font-weight": 600 }, map.name),
        lights.el,
        svg("image", {
          x,
          y,
          width: box.width,
          height: box.height,
          href: await map.picture(),
        }),
      );
    }
    return page;
  }

  destroy(): void {
    for (const map of this.#maps) {
      map.destroy();
    }
  }
}
