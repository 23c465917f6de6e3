/** A transparent canvas over the whole stage, in the resolution of the screen. */

import type { Point } from "../geometry/plane";
import { html } from "../ui/elements";
import type { Size } from "./camera";

export class Layer {
  readonly canvas: HTMLCanvasElement;

  constructor(name: string) {
    this.canvas = html("canvas", { class: `ls-layer ${name}`, "aria-hidden": "true" });
  }

  /** An empty context in pixels of the stage; null if drawing is not possible. */
  context(size: Size): CanvasRenderingContext2D | null {
    return prepared(this.canvas, size, devicePixelRatio);
  }
}

/** Draw lines through pixels. */
export function strokeLines(
  context: CanvasRenderingContext2D,
  lines: readonly (readonly Point[])[],
  style: string,
  width: number,
): void {
  context.beginPath();
  for (const [first, ...rest] of lines) {
    context.moveTo(...first);
    for (const pixel of rest) {
      context.lineTo(...pixel);
    }
  }
  context.strokeStyle = style;
  context.lineWidth = width;
  context.stroke();
}

/** Set the size of a canvas and clear it; its context uses pixels of the stage. */
export function prepared(
  canvas: HTMLCanvasElement,
  { width, height }: Size,
  scale: number,
): CanvasRenderingContext2D | null {
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  // In main memory: without a graphics card, canvases in other memory remained visible
  // after they were cleared.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context || w === 0 || h === 0) {
    return null;
  }
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
