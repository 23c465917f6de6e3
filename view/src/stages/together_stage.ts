/** All maps of a comparison side by side: a selection in one map is shown in all maps. */

import { coloring, statesOf } from "../color/coloring";
import { TONES } from "../color/colors";
import { shadeOf } from "../color/theme";
import type { Context } from "../context";
import { firstFrame } from "../geometry/first_frame";
import type { Box, Point } from "../geometry/plane";
import { placeOf } from "../geometry/plane";
import { cameraFor, type Size } from "../map/camera";
import { listen } from "../map/gestures";
import { Grid } from "../map/grid";
import { RasterPainter } from "../map/painting/raster";
import { combined, pointAt, pointsInside } from "../map/picking";
import { Projection } from "../map/projection";
import { COMPARISON, STAGE } from "../messages";
import {
  adviceOf,
  comparisonTable,
  type Openers,
  openersOf,
} from "../panels/comparison_table";
import { note } from "../panels/parts";
import { savedLights } from "../save/saved_legend";
import { BOLD, nameIn } from "../save/texts";
import type { ComparisonTable, Light, SceneMap } from "../scene/scene";
import { areOther, choose, LOOKS, type State } from "../state";
import { button, html, drawing as sized, svg } from "../ui/elements";
import { lightList, lightsOf } from "../ui/lights";

/** Height of the name of a map in a saved picture. */
const NAME = 20;

export class TogetherStage {
  readonly #context: Context;
  readonly #sheet = html("div.ls-together");
  readonly #grid = html("div.ls-small-maps");
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
      note(COMPARISON.hint),
      this.#grid,
      comparisonTable(compared, "", openers),
    );
  }

  update(state: State, before: State): void {
    for (const map of this.#maps) {
      map.update(state, before);
    }
  }

  /** All maps in one picture, each below its name and lights. */
  async drawing(): Promise<SVGSVGElement> {
    const shade = shadeOf(this.#context.store.state.theme);
    const { ink } = TONES[shade];
    const all = this.#grid.getBoundingClientRect();
    const shown = this.#maps.map((map) => {
      const box = map.plot.getBoundingClientRect();
      // Only answers, because there is no room for numbers beside small maps.
      const brief = map.lights.map((light) => ({ ...light, figure: "" }));
      const row = map.el.getBoundingClientRect().top;
      return { map, box, row, lights: savedLights(brief, shade, box.width) };
    });
    const parts: SVGElement[] = [];
    let bottom = 0;
    for (const row of new Set(shown.map((one) => one.row))) {
      const maps = shown.filter((one) => one.row === row);
      const y = bottom + NAME + Math.max(...maps.map(({ lights }) => lights.height));
      for (const { map, box, lights } of maps) {
        const { width, height } = box;
        const x = box.left - all.left;
        const top = y - lights.height;
        lights.el.setAttribute("transform", `translate(${x} ${top})`);
        parts.push(
          nameIn(width, map.name, { x, y: top - 4, fill: ink }, BOLD),
          lights.el,
          svg("image", { x, y, width, height, href: await map.picture() }),
        );
      }
      bottom = y + Math.max(...maps.map(({ box }) => box.height)) + MARGIN;
    }
    const page = sized(Math.round(all.width), Math.round(bottom));
    page.append(...parts);
    return page;
  }

  destroy(): void {
    for (const map of this.#maps) {
      map.destroy();
    }
  }
}

// One of several maps side by side, with a lasso and points that react to the pointer.

const MARGIN = 12;

class SmallMap {
  readonly el: HTMLElement;
  readonly plot: HTMLElement;
  readonly name: string;
  readonly lights: readonly Light[];
  readonly #context: Context;
  readonly #index: number;
  readonly #map: SceneMap;
  readonly #grid: Grid;
  readonly #frame: Box;
  readonly #painter = new RasterPainter();
  readonly #ring = html("i.ls-small-ring", { hidden: true });
  readonly #line = svg("polygon");
  readonly #observer: ResizeObserver;
  readonly #stop: () => void;
  #states: Uint8Array;
  #size: Size = { width: 0, height: 0 };

  /** `openers` are functions that show one map alone, by map name. */
  constructor(context: Context, index: number, openers: Openers) {
    const { scene, store } = context;
    this.#context = context;
    this.#index = index;
    this.#map = scene.maps[index];
    this.name = this.#map.name;
    this.lights = lightsOf(this.#map.honesty);
    this.#grid = new Grid(this.#map.positions.data);
    const { frame, nOutside } = firstFrame(this.#grid.positions);
    this.#frame = frame;
    this.plot = html(
      "div.ls-small-plot",
      { role: "img", "aria-label": COMPARISON.map(this.name) },
      this.#painter.canvas,
      svg("svg.ls-small-line", { "aria-hidden": "true" }, this.#line),
      this.#ring,
      nOutside > 0 ? html("span.ls-small-out", STAGE.outside(nOutside)) : null,
    );
    this.el = html(
      "article.ls-small",
      { "data-map": index, "aria-label": this.name },
      button(this.name, () => openers.get(this.name)?.(), {
        class: "ls-link ls-small-name",
        title: COMPARISON.showAlone(this.name),
      }),
      lightList(this.lights),
      this.plot,
    );
    this.#states = this.#paint(store.state);
    this.#stop = this.#listen();
    this.#observer = new ResizeObserver(() => this.#look());
    this.#observer.observe(this.plot);
  }

  update(state: State, before: State): void {
    if (areOther(LOOKS, state, before)) {
      this.#states = this.#paint(state);
    }
    if (state.hover !== before.hover) {
      this.#mark(state.hover);
    }
  }

  /** The current picture, as a data URL. */
  picture(): Promise<string> {
    return this.#painter.picture(2);
  }

  destroy(): void {
    this.#observer.disconnect();
    this.#stop();
    this.#painter.destroy();
    this.el.remove();
  }

  #paint(state: State): Uint8Array {
    const { scene } = this.#context;
    const shade = shadeOf(state.theme);
    const { quiet, ...colors } = coloring(scene, this.#index, state.colorBy, shade);
    const states = statesOf(scene, state, quiet);
    const positions = this.#grid.positions;
    this.#painter.show({ ...colors, positions, states, frame: this.#frame }, 0);
    return states;
  }

  #look(): void {
    const { clientWidth: width, clientHeight: height } = this.plot;
    this.#size = { width, height };
    if (width > 0 && height > 0) {
      this.#painter.look(this.#projection().camera, this.#size, false);
      this.#mark(this.#context.store.state.hover);
    }
  }

  #projection(): Projection {
    const camera = cameraFor(this.#frame, this.#size, MARGIN);
    return new Projection(camera, this.#size, null);
  }

  /** A ring around the point under the pointer, in all maps. */
  #mark(point: number | null): void {
    this.#ring.hidden = point === null;
    if (point !== null) {
      const [x, y] = this.#projection().screen(placeOf(this.#grid.positions, point));
      this.#ring.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }

  #listen(): () => void {
    const { store } = this.#context;
    const at = (pixel: Point) => pointAt(this.#pickable(), this.#projection(), pixel);
    const pick = (points: Uint32Array, event: MouseEvent) => {
      const adds = event.shiftKey || event.ctrlKey || event.metaKey;
      const how = adds ? "add" : "instead";
      choose(store, combined(store.state.selection, points, how));
    };
    return listen(this.plot, {
      hover: (pixel) => {
        const point = pixel ? at(pixel) : -1;
        store.set({ hover: point < 0 ? null : point });
      },
      click: (pixel, event) => {
        const point = at(pixel);
        pick(Uint32Array.from(point < 0 ? [] : [point]), event);
      },
      dragStart: () => "draw",
      draw: (path) => this.#draw(path),
      drawEnd: (path, event) => {
        this.#draw([]);
        if (event.type === "pointercancel") {
          return; // a finger that scrolls the page
        }
        pick(pointsInside(this.#pickable(), this.#projection(), path), event);
      },
    });
  }

  #pickable() {
    return { grid: this.#grid, shown: this.#grid.positions, states: this.#states };
  }

  #draw(path: readonly Point[]): void {
    this.#line.setAttribute("points", path.map(([x, y]) => `${x},${y}`).join(" "));
  }
}
