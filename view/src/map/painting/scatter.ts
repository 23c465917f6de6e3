/** Points drawn by WebGL: the only file that knows regl-scatterplot. */

import createScatterplot from "regl-scatterplot";
import { html } from "../../ui/elements";
import type { Camera, Size } from "../camera";
import {
  appearanceOf,
  EDGE,
  HIDDEN,
  isEdged,
  ORDER,
  type Painter,
  type Points,
  QUIET,
  zoomOf,
} from "./points";

type Plot = ReturnType<typeof createScatterplot>;

/** A spatial index of no points: we find places by our own grid. */
const NO_INDEX = new Uint8Array([0xdb, 0x18, 16, 0, 0, 0, 0, 0]).buffer;

/** Edges are points of their own: their states come after those of the points. */
const EDGES = 4;

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/**
 * What draws WebGL here: a graphics card, or the processor in its place. "none": nothing;
 * "forbidden": the page's security policy keeps regl from compiling its draw calls.
 */
export function graphics(): "card" | "software" | "none" | "forbidden" {
  const gl = document.createElement("canvas").getContext("webgl");
  if (!gl?.getExtension("OES_texture_float")) {
    return "none";
  }
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const renderer = gl.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
  // Browsers allow few contexts at a time; this one has told all it can.
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  if (!canCompile()) {
    return "forbidden";
  }
  return SOFTWARE.test(String(renderer)) ? "software" : "card";
}

function canCompile(): boolean {
  try {
    new Function();
    return true;
  } catch {
    return false;
  }
}

export class ScatterPainter implements Painter {
  readonly canvas = html("canvas", { class: "ls-points" });
  #plot: Plot | null = null;
  #rows: number[][] = [];
  #shown: Points | null = null;
  #waiting: { points: Points; duration: number } | null = null;
  #drawing = false;
  #camera: Camera | null = null;
  #size: Size = { width: 0, height: 0 };

  show(points: Points, duration: number): void {
    this.#waiting = { points, duration };
    void this.#drawNext();
  }

  look(camera: Camera, size: Size): void {
    const resized =
      size.width !== this.#size.width || size.height !== this.#size.height;
    this.#camera = camera;
    this.#size = size;
    if (resized) {
      void this.#plot?.set({ width: size.width, height: size.height });
      void this.#drawNext();
    }
    this.#aim();
  }

  async picture(scale: number): Promise<string> {
    const image = await this.#plot?.export({ scale });
    const canvas = html("canvas", { width: image?.width, height: image?.height });
    if (image) {
      canvas.getContext("2d")?.putImageData(image, 0, 0);
    }
    return canvas.toDataURL();
  }

  destroy(): void {
    this.#waiting = null;
    this.#plot?.destroy();
    this.#plot = null;
  }

  /** Draw the newest points. One drawing at a time; what came meanwhile waits. */
  async #drawNext(): Promise<void> {
    const plot = this.#ready();
    if (!plot || !this.#waiting || this.#drawing) {
      return;
    }
    const { points, duration } = this.#waiting;
    this.#waiting = null;
    this.#drawing = true;
    if (points.palette !== this.#shown?.palette) {
      const { palette, quietPalette, edges } = points;
      await plot.set({ pointColor: [...palette, ...quietPalette, ...(edges ?? [])] });
    }
    const before = this.#rows.length;
    this.#fill(points);
    const isSame = this.#rows.length === before;
    this.#shown = points;
    this.#aim();
    await plot.draw(this.#rows, {
      zDataType: "categorical",
      wDataType: "categorical",
      spatialIndex: NO_INDEX,
      transition: duration > 0 && isSame,
      transitionDuration: duration,
    });
    this.#drawing = false;
    void this.#drawNext();
  }

  /** The plot, made once the size of the stage is known. */
  #ready(): Plot | null {
    const { width, height } = this.#size;
    if (!this.#plot && width > 0 && height > 0) {
      this.#plot = createScatterplot({
        canvas: this.canvas,
        width,
        height,
        cameraIsFixed: true,
        colorBy: "valueZ",
        opacityBy: "valueW",
        sizeBy: "valueW",
        pointScaleMode: "constant",
      });
    }
    return this.#plot;
  }

  /** Rows of x, y, colour, state, top ones last; x and y from -1 to 1 in the frame. */
  #fill(points: Points): void {
    const { codes, palette, edges } = points;
    const n = (edges ? 2 : 1) * codes.length;
    if (this.#rows.length !== n) {
      this.#rows = Array.from({ length: n }, () => [0, 0, 0, 0]);
    }
    let k = 0;
    for (const state of ORDER) {
      if (edges) {
        const kind = isEdged(state) ? EDGES + state : HIDDEN;
        k = this.#fillState(k, points, state, 2 * palette.length, kind);
      }
      const shift = state === QUIET ? palette.length : 0;
      k = this.#fillState(k, points, state, shift, state);
    }
  }

  /** Rows of the points in one state, from row k; returns the row after them. */
  #fillState(
    k: number,
    { positions, codes, states, frame }: Points,
    state: number,
    shift: number,
    kind: number,
  ): number {
    const { x, y, half } = middleOf(frame);
    let next = k;
    for (let i = 0; i < codes.length; i++) {
      if (states[i] === state) {
        const row = this.#rows[next++];
        row[0] = (positions[2 * i] - x) / half;
        row[1] = (positions[2 * i + 1] - y) / half;
        row[2] = codes[i] + shift;
        row[3] = kind;
      }
    }
    return next;
  }

  /** Give the plot its view matrix, and points a size that suits the zoom. */
  #aim(): void {
    if (!this.#plot || !this.#shown || !this.#camera) {
      return;
    }
    const { frame } = this.#shown;
    const look = appearanceOf(this.#shown, zoomOf(this.#camera, this.#size, frame));
    const isHidden = (size: number) => size === 0;
    void this.#plot.set({
      pointSize: [
        ...look.sizes,
        ...look.sizes.map((size) => (isHidden(size) ? 0 : size + 2 * EDGE)),
      ],
      opacity: [
        ...look.opacities,
        ...look.sizes.map((size) => (isHidden(size) ? 0 : 1)),
      ],
    });
    const { x, y, half } = middleOf(frame);
    const k = (this.#camera.scale * 2) / this.#size.height;
    const [dx, dy] = [(x - this.#camera.x) * k, (y - this.#camera.y) * k];
    this.#plot.view([half * k, 0, 0, 0, 0, half * k, 0, 0, 0, 0, 1, 0, dx, dy, 0, 1]);
  }
}

function middleOf({ x0, y0, x1, y1 }: Points["frame"]) {
  const half = Math.max(x1 - x0, y1 - y0) / 2 || 1;
  return { x: (x0 + x1) / 2, y: (y0 + y1) / 2, half };
}
