/** A stage of SVG marks that is panned and zoomed like the map. */

import { type Camera, panned, type Size, toScreen, zoomed } from "../map/camera";
import type { Point } from "../map/geometry";
import { listen } from "../map/gestures";
import { html, svg } from "../ui/elements";

/** Before the page is laid out. */
const USUAL_SIZE: Size = { width: 640, height: 480 };
const STEP = 1.25;

export class SvgStage {
  readonly root: HTMLElement;
  readonly svg: SVGSVGElement;
  readonly #fitted: (size: Size) => Camera;
  readonly #draw: () => void;
  readonly #observer: ResizeObserver;
  readonly #stop: () => void;
  #size = USUAL_SIZE;
  #camera: Camera;
  #isMoved = false;

  /** `fitted` is the camera that shows everything; `draw` puts all marks in place. */
  constructor(
    el: HTMLElement,
    name: string,
    label: string,
    fitted: (size: Size) => Camera,
    draw: () => void,
  ) {
    this.#fitted = fitted;
    this.#draw = draw;
    this.svg = svg("svg", { class: "ls-marks", role: "group", "aria-label": label });
    this.root = html("div", { class: `ls-svg-stage ls-stage-${name}` }, this.svg);
    el.append(this.root);
    this.#camera = fitted(this.#size);
    this.#stop = listen(this.root, {
      hover: () => {},
      click: () => {},
      doubleClick: () => this.reset(),
      dragStart: () => "move",
      move: ([x0, y0], [x1, y1]) => this.#look(panned(this.#camera, x1 - x0, y1 - y0)),
      moveEnd: () => {},
      draw: () => {},
      drawEnd: () => {},
      zoom: (at, factor) => this.#look(zoomed(this.#camera, this.#size, at, factor)),
    });
    this.root.addEventListener("keydown", (event) => this.#onKey(event));
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(this.root);
  }

  get size(): Size {
    return this.#size;
  }

  screen(x: number, y: number): Point {
    return toScreen(this.#camera, this.#size, x, y);
  }

  /** Show everything again. */
  reset(): void {
    this.#isMoved = false;
    this.#camera = this.#fitted(this.#size);
    this.#draw();
  }

  destroy(): void {
    this.#observer.disconnect();
    this.#stop();
    this.root.remove();
  }

  #look(camera: Camera): void {
    this.#isMoved = true;
    this.#camera = camera;
    this.#draw();
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (width === 0 || height === 0) {
      return;
    }
    this.#size = { width, height };
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (this.#isMoved) {
      this.#draw();
    } else {
      this.reset();
    }
  }

  #onKey(event: KeyboardEvent): void {
    const { width, height } = this.#size;
    const factor = { "+": STEP, "=": STEP, "-": 1 / STEP }[event.key];
    if (factor !== undefined) {
      this.#look(zoomed(this.#camera, this.#size, [width / 2, height / 2], factor));
    } else if (event.key === "0") {
      this.reset();
    }
  }
}
