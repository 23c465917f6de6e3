/** Points drawn by the processor, which is faster than WebGL without a graphics card. */

import { rgb } from "../../color/colors";
import { outside, reachOf } from "../../color/looks";
import { HIDDEN, ORDER, type Points, QUIET } from "../../color/points";
import { html } from "../../ui/elements";
import { AnimatedPainter } from "./animated";
import {
  appearanceOf,
  atDepth,
  EDGE,
  GROWTHS,
  isEdged,
  type Look,
  STRENGTHS,
  zoomOf,
} from "./appearance";

/** Maximum time for one frame while the map moves, in milliseconds. */
const PATIENCE = 40;
/** The middle of a point is rounded to this many places within a pixel, in each direction. */
const PHASES = 4;
/** The number of point sizes on a 3-D map. */
const SIZES = 5;

/** For each pixel red, green and blue, times coverage, and the coverage; all from 0 to 1. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** From the plane to pixels: column `x * scale + dx`, row `dy - y * scale`. */
interface Placing {
  readonly scale: number;
  readonly dx: number;
  readonly dy: number;
}

export class RasterPainter extends AnimatedPainter {
  #pixels: Pixels = blank(0, 0);
  #stride = 1;

  async picture(scale: number): Promise<string> {
    const canvas = html("canvas");
    if (this.points) {
      this.#draw(canvas, this.points, scale, 1);
    }
    return canvas.toDataURL();
  }

  /** While the map moves, leave out enough points to keep frames short. */
  protected paint(points: Points, moving: boolean): void {
    const start = performance.now();
    this.#draw(this.canvas, points, devicePixelRatio, moving ? this.#stride : 1);
    const took = performance.now() - start;
    if (moving && took > PATIENCE) {
      this.#stride = Math.min(this.#stride * 2, 64);
    } else if (moving && took < PATIENCE / 4 && this.#stride > 1) {
      this.#stride /= 2;
    }
  }

  #draw(canvas: HTMLCanvasElement, points: Points, scale: number, stride: number) {
    const width = Math.round(this.size.width * scale);
    const height = Math.round(this.size.height * scale);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!this.camera || !context || width === 0 || height === 0) {
      return;
    }
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    if (this.#pixels.width !== width || this.#pixels.height !== height) {
      this.#pixels = blank(width, height);
    }
    this.#pixels.data.fill(0);
    const k = this.camera.scale * scale;
    const placing = {
      scale: k,
      dx: width / 2 - this.camera.x * k,
      dy: height / 2 + this.camera.y * k,
    };
    const zoom = zoomOf(this.camera, this.size, points.frame);
    const look = enlarged(appearanceOf(points, zoom), scale);
    drawPoints(this.#pixels, points, placing, look, stride);
    context.putImageData(image(this.#pixels), 0, 0);
  }
}

export function blank(width: number, height: number): Pixels {
  return { width, height, data: new Float32Array(4 * width * height) };
}

/** Draw every `stride`-th point: quiet points first, selected points on top. */
export function drawPoints(
  pixels: Pixels,
  points: Points,
  placing: Placing,
  look: Look,
  stride: number,
): void {
  const has = [0, 0, 0, 0];
  for (const state of points.states) {
    has[state]++;
  }
  for (const state of ORDER) {
    if (has[state] > 0 && state !== HIDDEN) {
      // As dark as all points together.
      const opacity = 1 - (1 - look.opacities[state]) ** Math.sqrt(stride);
      const draw = (edge: number, cover: number, palette: readonly string[]) => {
        const stamps = sizesOf(points, look.sizes[state]).map((size) =>
          shapedStamps(points.shapes ?? [0], size + 2 * edge, cover, pixels.width),
        );
        stamp(pixels, points, state, placing, stamps, parts(palette), stride);
      };
      const edges = isEdged(state) ? points.edges : null;
      if (edges) {
        // Edges are below all points of the state, and separate them from their surroundings.
        draw(look.edge ?? EDGE, 1, edges);
      }
      draw(0, opacity, state === QUIET ? points.quietPalette : points.palette);
    }
  }
}

/** The sizes of points: one size, or sizes from the farthest to the nearest. */
function sizesOf({ depth }: Points, usual: number): number[] {
  return depth
    ? Array.from({ length: SIZES }, (_, k) => usual * atDepth(GROWTHS, k / (SIZES - 1)))
    : [usual];
}

/** Red, green and blue of each color, from 0 to 1. */
function parts(palette: readonly string[]): Float32Array {
  return Float32Array.from(
    palette.flatMap((color) => rgb(color).map((part) => part / 255)),
  );
}

/** The coverage of pixels by a shape, for each place of its middle within a pixel. */
interface Stamps {
  /** Distance from the pixel of the middle to the end of the stamp. */
  readonly reach: number;
  readonly offsets: readonly Int32Array[];
  readonly covers: readonly Float32Array[];
}

/** Stamps of the shapes that occur, by shape. */
function shapedStamps(
  shapes: Iterable<number>,
  size: number,
  opacity: number,
  width: number,
): Stamps[] {
  const stamps: Stamps[] = [];
  for (const shape of new Set(shapes)) {
    stamps[shape] = stampsOf(shape, size, opacity, width);
  }
  return stamps;
}

function stampsOf(shape: number, size: number, opacity: number, width: number): Stamps {
  const reach = Math.ceil(reachOf(shape, size / 2) + 0.5);
  const offsets: Int32Array[] = [];
  const covers: Float32Array[] = [];
  for (let phase = 0; phase < PHASES * PHASES; phase++) {
    const x = ((phase % PHASES) + 0.5) / PHASES;
    const y = (Math.floor(phase / PHASES) + 0.5) / PHASES;
    const at: number[] = [];
    const by: number[] = [];
    for (let row = -reach; row <= reach; row++) {
      for (let column = -reach; column <= reach; column++) {
        const away = outside(shape, size / 2, column + 0.5 - x, row + 0.5 - y);
        const cover = Math.min(Math.max(0.5 - away, 0), 1);
        if (cover > 0.02) {
          at.push(4 * (row * width + column));
          by.push(cover * opacity);
        }
      }
    }
    offsets.push(Int32Array.from(at));
    covers.push(Float32Array.from(by));
  }
  return { reach, offsets, covers };
}

function stamp(
  { data, width, height }: Pixels,
  { positions, codes, states, shapes, depth }: Points,
  state: number,
  { scale, dx, dy }: Placing,
  stamps: readonly (readonly Stamps[])[],
  colors: Float32Array,
  stride: number,
): void {
  const paper = depth ? parts([depth.paper]) : null;
  for (let rank = 0; rank < codes.length; rank += stride) {
    const i = depth ? depth.order[rank] : rank;
    if (states[i] !== state) {
      continue;
    }
    const size = depth ? Math.round(depth.nearness[i] * (SIZES - 1)) : 0;
    const { reach, offsets, covers } = stamps[size][shapes ? shapes[codes[i]] : 0];
    const x = positions[2 * i] * scale + dx;
    const y = dy - positions[2 * i + 1] * scale;
    // This form also excludes missing positions.
    if (!(x >= reach && y >= reach && x < width - reach && y < height - reach)) {
      continue;
    }
    const column = Math.floor(x);
    const row = Math.floor(y);
    const phase =
      Math.floor((y - row) * PHASES) * PHASES + Math.floor((x - column) * PHASES);
    const at = offsets[phase];
    const by = covers[phase];
    const start = 4 * (row * width + column);
    const color = 3 * codes[i];
    let r = colors[color];
    let g = colors[color + 1];
    let b = colors[color + 2];
    if (depth && paper) {
      const strength = atDepth(STRENGTHS, depth.nearness[i]);
      r = paper[0] + (r - paper[0]) * strength;
      g = paper[1] + (g - paper[1]) * strength;
      b = paper[2] + (b - paper[2]) * strength;
    }
    for (let k = 0; k < at.length; k++) {
      const pixel = start + at[k];
      const cover = by[k];
      const rest = 1 - cover;
      data[pixel] = r * cover + data[pixel] * rest;
      data[pixel + 1] = g * cover + data[pixel + 1] * rest;
      data[pixel + 2] = b * cover + data[pixel + 2] * rest;
      data[pixel + 3] = cover + data[pixel + 3] * rest;
    }
  }
}

function image({ width, height, data }: Pixels): ImageData {
  const bytes = new Uint8ClampedArray(data.length);
  for (let i = 0; i < data.length; i += 4) {
    const cover = data[i + 3];
    if (cover > 0) {
      const k = 255 / cover;
      bytes[i] = data[i] * k;
      bytes[i + 1] = data[i + 1] * k;
      bytes[i + 2] = data[i + 2] * k;
      bytes[i + 3] = cover * 255;
    }
  }
  return new ImageData(bytes, width, height);
}

function enlarged({ sizes, opacities }: Look, scale: number): Look {
  const edge = EDGE * scale;
  return { sizes: sizes.map((size) => size * scale) as never, opacities, edge };
}
