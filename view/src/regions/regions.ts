/** The regions below the points: predicted classes, and their certainty. */

import { hex, type Rgb, rgb, type Shade, TINTS } from "../color/colors";
import { colorIn, type Looking } from "../color/looks";
import type { Point } from "../geometry/plane";
import { prepared, strokeLines } from "../map/layer";
import { bentLine, type Projection } from "../map/projection";
import type { Regions } from "../scene/scene";
import { html } from "../ui/elements";
import type { Polyline } from "./polylines";
import { type Area, areasOf, type Lines, linesOf } from "./region_lines";

/** Strength of the colors: full, pale next to selected points, or only borders. */
export type Strength = "full" | "pale" | "borders";
const STRENGTHS = { full: 1, pale: 0.45, borders: 0 } as const;
/** Strength of the colors where no data are near. */
const FAR = 0.3;
/** From this support on, colors have full strength. */
const NEAR = 96;
/** If a larger share is far from data, it is not hatched, because hatching would dominate. */
const MOST_HATCHED = 0.5;
/** Pixels of the stage per pixel of the image in the disc, which is computed pixel by pixel. */
const COARSE = 2;

const TONES = {
  light: {
    border: "#FFFFFF",
    outline: "#22262B66",
    lines: ["#22262B1C", "#22262B30", "#22262B4A"],
    hatch: "#22262B2E",
  },
  dark: {
    border: "#14171B",
    outline: "#FFFFFF66",
    lines: ["#FFFFFF20", "#FFFFFF36", "#FFFFFF50"],
    hatch: "#FFFFFF30",
  },
} as const;

/** The position of an image on the stage. */
interface Placed {
  readonly fill: HTMLCanvasElement;
  readonly far: HTMLCanvasElement;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Regions as areas, in pixels of the stage. */
export interface RegionVectors {
  readonly areas: readonly {
    readonly lines: readonly (readonly Point[])[];
    readonly fill: string;
    readonly opacity: number;
  }[];
  /** Parts where no data are near; `hatch` is the color of the lines across them. */
  readonly far: readonly (readonly Point[])[];
  /** The fill that makes colors paler there. */
  readonly veil: { readonly fill: string; readonly opacity: number };
  /** Null if so much is far from data that it is not hatched. */
  readonly hatch: string | null;
  readonly lines: readonly {
    readonly lines: readonly (readonly Point[])[];
    readonly color: string;
  }[];
}

/** Prepared regions, which can be drawn at any zoom, flat or in the disc. */
export class RegionsPicture {
  readonly #regions: Regions;
  readonly #shade: Shade;
  readonly #colors: readonly Rgb[];
  readonly #rows: number;
  readonly #columns: number;
  readonly #lines: Lines;
  /** Reused, because creating a canvas for every frame takes longer than drawing. */
  readonly #hatched = html("canvas");
  readonly #flat: { fill: HTMLCanvasElement; far: HTMLCanvasElement };

  constructor(regions: Regions, scene: Looking, shade: Shade) {
    const [rows, columns] = regions.labels.shape;
    this.#regions = regions;
    this.#lines = linesOf(regions);
    this.#shade = shade;
    this.#rows = rows;
    this.#columns = columns;
    this.#colors = scene.classes.map((_, c) => rgb(colorIn(scene, c, shade)));
    // The first row of the grid is at the bottom; that of an image is at the top.
    this.#flat = this.#images(columns, rows, (column, row) => [column, rows - 1 - row]);
  }

  draw(
    context: CanvasRenderingContext2D,
    projection: Projection,
    scale: number,
    strength: Strength,
  ): void {
    const tones = TONES[this.#shade];
    const placed = projection.disc
      ? this.#inDisc(projection)
      : this.#onPlane(projection);
    const { x, y, width, height } = placed;
    context.save();
    this.#clip(context, projection);
    context.lineJoin = context.lineCap = "round";
    context.globalAlpha = STRENGTHS[strength];
    context.drawImage(placed.fill, x, y, width, height);
    context.globalAlpha = 1;
    this.#hatch(context, projection, placed, scale);
    if (strength !== "borders") {
      this.#lines.isolines.forEach((lines, k) => {
        strokeLines(context, this.#onStage(lines, projection), tones.lines[k], 1);
      });
    }
    const { color, width: wide } = this.border(strength);
    strokeLines(context, this.borders(projection), color, wide);
    context.restore();
  }

  /** Borders are gaps between colors, or lines if there are no colors. */
  border(strength: Strength): { readonly color: string; readonly width: number } {
    const { border, outline } = TONES[this.#shade];
    return strength === "borders"
      ? { color: outline, width: 1 }
      : { color: border, width: 1.75 };
  }

  /** Borders between classes on the stage. */
  borders(projection: Projection): Point[][] {
    return this.#onStage(this.#lines.borders, projection);
  }

  /** The regions as areas and lines on the stage, for vector graphics. */
  vectors(projection: Projection, strength: Strength): RegionVectors {
    const { paper, sure } = TINTS[this.#shade];
    const { hatch, lines } = TONES[this.#shade];
    const { areas, far } = areasOf(this.#regions);
    const onStage = (given: readonly Polyline[]) => this.#onStage(given, projection);
    const isFilled = strength !== "borders";
    return {
      areas: (isFilled ? areas : []).flatMap((area) => {
        const color = this.#colors[area.label];
        const opacity = STRENGTHS[strength] * shareOf(area, paper, sure);
        return color
          ? [{ lines: onStage(area.outlines), fill: hex(color), opacity }]
          : [];
      }),
      far: onStage(far),
      veil: { fill: TONES[this.#shade].border, opacity: isFilled ? 1 - FAR : 0 },
      hatch: isHatched(this.#regions) ? hatch : null,
      lines: (isFilled ? this.#lines.isolines : []).map((given, k) => ({
        lines: onStage(given),
        color: lines[k],
      })),
    };
  }

  #onPlane(projection: Projection): Placed {
    const [x0, y0, x1, y1] = this.#regions.box;
    const [x, y] = projection.screen([x0, y1]);
    const [right, bottom] = projection.screen([x1, y0]);
    return { ...this.#flat, x, y, width: right - x, height: bottom - y };
  }

  #inDisc(projection: Projection): Placed {
    const { size } = projection;
    const radius = projection.camera.scale;
    const [x, y] = [size.width / 2 - radius, size.height / 2 - radius];
    const side = Math.max(Math.ceil((2 * radius) / COARSE), 1);
    const step = (2 * radius) / side;
    const images = this.#images(side, side, (column, row) => {
      const pixel: Point = [x + (column + 0.5) * step, y + (row + 0.5) * step];
      const at = projection.inDisc(pixel);
      return at[0] * at[0] + at[1] * at[1] < 1
        ? this.#cell(projection.place(pixel))
        : null;
    });
    return { ...images, x, y, width: 2 * radius, height: 2 * radius };
  }

  /** Images of the colors and of the parts far from data; `cell` chooses the cell to show. */
  #images(
    width: number,
    height: number,
    cell: (column: number, row: number) => Point | null,
  ): { fill: HTMLCanvasElement; far: HTMLCanvasElement } {
    const { labels, certainty, support } = this.#regions;
    const { paper, sure } = TINTS[this.#shade];
    const fill = new Uint8ClampedArray(4 * width * height);
    const far = new Uint8ClampedArray(4 * width * height);
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const at = cell(column, row);
        if (!at) {
          continue;
        }
        const k = at[1] * this.#columns + at[0];
        const color = this.#colors[labels.data[k]];
        const pixel = 4 * (row * width + column);
        if (color) {
          fill.set(color, pixel);
          const share = FAR + (1 - FAR) * Math.min(support.data[k] / NEAR, 1);
          fill[pixel + 3] = 255 * share * (paper + (sure * certainty.data[k]) / 255);
        }
        far[pixel + 3] = support.data[k] === 0 ? 255 : 0;
      }
    }
    return { fill: canvasOf(fill, width, height), far: canvasOf(far, width, height) };
  }

  #hatch(
    context: CanvasRenderingContext2D,
    projection: Projection,
    { far, x, y, width, height }: Placed,
    scale: number,
  ): void {
    const { size } = projection;
    const isShown = isHatched(this.#regions);
    const lines = isShown ? prepared(this.#hatched, size, scale) : null;
    if (!lines) {
      return;
    }
    lines.strokeStyle = TONES[this.#shade].hatch;
    lines.lineWidth = 1;
    lines.beginPath();
    for (let at = -size.height; at < size.width; at += 7) {
      lines.moveTo(at, size.height);
      lines.lineTo(at + size.height, 0);
    }
    lines.stroke();
    lines.globalCompositeOperation = "destination-in";
    lines.drawImage(far, x, y, width, height);
    lines.globalCompositeOperation = "source-over";
    context.drawImage(this.#hatched, 0, 0, size.width, size.height);
  }

  /** The middle of a cell of the grid, as a place of the map. */
  #place(column: number, row: number): Point {
    const [x0, y0, x1, y1] = this.#regions.box;
    return [
      x0 + ((column + 0.5) * (x1 - x0)) / this.#columns,
      y0 + ((row + 0.5) * (y1 - y0)) / this.#rows,
    ];
  }

  /** The cell of the grid at a place of the map; null outside. */
  #cell([x, y]: Point): Point | null {
    const [x0, y0, x1, y1] = this.#regions.box;
    const column = Math.floor(((x - x0) / (x1 - x0)) * this.#columns);
    const row = Math.floor(((y - y0) / (y1 - y0)) * this.#rows);
    const isIn = column >= 0 && row >= 0 && column < this.#columns && row < this.#rows;
    return isIn ? [column, row] : null;
  }

  /** Lines of the grid on the stage. */
  #onStage(lines: readonly Polyline[], projection: Projection): Point[][] {
    return lines.map((line) => {
      const places: Point[] = [];
      for (let i = 0; i < line.length; i += 2) {
        places.push(this.#place(line[i], line[i + 1]));
      }
      const pixels = places
        .slice(1)
        .flatMap((place, k) => bentLine(projection, places[k], place));
      return [...pixels, projection.screen(places[places.length - 1])];
    });
  }

  /** Clip drawings to the disc, and to the extent of the grid. */
  #clip(context: CanvasRenderingContext2D, projection: Projection): void {
    const [x0, y0, x1, y1] = this.#regions.box;
    const corners: Point[] = [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ];
    context.beginPath();
    corners.forEach((corner, k) => {
      for (const pixel of bentLine(projection, corner, corners[(k + 1) % 4])) {
        context.lineTo(...pixel);
      }
    });
    context.clip();
  }
}

/** Whether the parts far from data are hatched. */
export function isHatched(regions: Regions): boolean {
  const { shareFar } = linesOf(regions);
  return shareFar > 0 && shareFar <= MOST_HATCHED;
}

/** The opacity of an area, so that overlapping areas together have the wanted strength. */
function shareOf({ from, to, isFirst }: Area, paper: number, sure: number): number {
  const wanted = paper + (sure * (from + to)) / 2;
  const below = isFirst ? 0 : paper + sure * (from - (to - from) / 2);
  return 1 - (1 - wanted) / (1 - below);
}

function canvasOf(
  pixels: Uint8ClampedArray<ArrayBuffer>,
  width: number,
  height: number,
): HTMLCanvasElement {
  const canvas = html("canvas", { width, height });
  canvas.getContext("2d")?.putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas;
}
