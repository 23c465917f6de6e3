/** One of several maps side by side: points to point at and to draw a line around. */

import { coloring, statesOf } from "../color/coloring";
import { shadeOf } from "../color/theme";
import type { Context } from "../context";
import { cameraFor, type Size } from "../map/camera";
import { firstFrame } from "../map/first_frame";
import type { Box, Point } from "../map/geometry";
import { listen } from "../map/gestures";
import { Grid } from "../map/grid";
import { RasterPainter } from "../map/painting/raster";
import { combined, placeOf, pointAt, pointsInside } from "../map/picking";
import { Projection } from "../map/projection";
import type { Openers } from "../panels/quality/comparison";
import { lightsOf } from "../scene/lights";
import type { Light, SceneMap } from "../scene/scene";
import { count } from "../scene/words/format";
import type { State } from "../state";
import { button } from "../ui/button";
import { html, svg } from "../ui/elements";
import { lightList } from "../ui/lights";

const MARGIN = 12;
/** What says how the points are drawn. */
const LOOKS: readonly (keyof State)[] = [
  "colorBy",
  "theme",
  "hiddenClasses",
  "hiddenParts",
  "hiddenCategories",
  "selection",
];

export class SmallMap {
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
  readonly #ring = html("i", { class: "ls-small-ring", hidden: true });
  readonly #line = svg("polygon", {});
  readonly #observer: ResizeObserver;
  readonly #stop: () => void;
  #states: Uint8Array;
  #size: Size = { width: 0, height: 0 };

  /** `openers` show maps alone, by their names. */
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
      "div",
      { class: "ls-small-plot", role: "img", "aria-label": `Map: ${this.name}` },
      this.#painter.canvas,
      svg("svg", { class: "ls-small-line", "aria-hidden": "true" }, this.#line),
      this.#ring,
      nOutside > 0
        ? html("span", { class: "ls-small-out" }, `${count(nOutside)} further out`)
        : null,
    );
    this.el = html(
      "article",
      { class: "ls-small", "data-map": index, "aria-label": this.name },
      button(this.name, () => openers.get(this.name)?.(), {
        class: "ls-link ls-small-name",
        title: `Show ${this.name} alone`,
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
    if (LOOKS.some((name) => state[name] !== before[name])) {
      this.#states = this.#paint(state);
    }
    if (state.hover !== before.hover) {
      this.#mark(state.hover);
    }
  }

  /** What is drawn, as an address. */
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

  /** A ring around the point that somebody points at, in whichever map. */
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
    const choose = (picked: Uint32Array, event: MouseEvent) => {
      const adds = event.shiftKey || event.ctrlKey || event.metaKey;
      const selection = combined(
        store.state.selection,
        picked,
        adds ? "add" : "instead",
      );
      store.set({ selection });
    };
    return listen(
      this.plot,
      {
        hover: (pixel) => {
          const point = pixel ? at(pixel) : -1;
          store.set({ hover: point < 0 ? null : point });
        },
        click: (pixel, event) => {
          const point = at(pixel);
          choose(Uint32Array.from(point < 0 ? [] : [point]), event);
        },
        doubleClick: () => {},
        dragStart: () => "draw",
        move: () => {},
        moveEnd: () => {},
        draw: (path) => this.#draw(path),
        drawEnd: (path, event) => {
          this.#draw([]);
          if (event.type === "pointercancel") {
            return; // a finger that scrolls the page
          }
          choose(pointsInside(this.#pickable(), this.#projection(), path), event);
        },
        zoom: () => {},
      },
      // The wheel turns the page of all maps.
      { wheel: false },
    );
  }

  #pickable() {
    return { grid: this.#grid, shown: this.#grid.positions, states: this.#states };
  }

  #draw(path: readonly Point[]): void {
    this.#line.setAttribute("points", path.map(([x, y]) => `${x},${y}`).join(" "));
  }
}
