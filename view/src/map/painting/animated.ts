/** A painter whose points move to their new positions frame by frame. */

import type { Points } from "../../color/points";
import type { Box } from "../../geometry/plane";
import { html } from "../../ui/elements";
import { type Camera, Motion, type Size } from "../camera";
import type { Painter } from "./appearance";

export abstract class AnimatedPainter implements Painter {
  readonly canvas = html("canvas.ls-points");
  protected points: Points | null = null;
  protected camera: Camera | null = null;
  protected size: Size = { width: 0, height: 0 };
  #moving = false;
  readonly #motion = new Motion();
  #frame = 0;

  show(points: Points, duration: number): void {
    const before = this.points;
    this.points = points;
    this.#stop();
    if (before && duration > 0 && before.codes.length === points.codes.length) {
      this.#travel(reframed(before, points.frame), points, duration);
    } else {
      this.paintSoon();
    }
  }

  look(camera: Camera, size: Size, moving: boolean): void {
    this.camera = camera;
    this.size = size;
    this.#moving = moving;
    this.#stop();
    this.paintSoon();
  }

  abstract picture(scale: number): Promise<string>;

  destroy(): void {
    this.#stop();
  }

  /** Paint points; `moving` if more frames follow at once. */
  protected abstract paint(points: Points, moving: boolean): void;

  protected paintSoon(): void {
    this.#frame = requestAnimationFrame(() => {
      if (this.points) {
        this.paint(this.points, this.#moving);
      }
    });
  }

  #travel(from: Float32Array, points: Points, duration: number): void {
    const positions = new Float32Array(from.length);
    this.#motion.play(duration, (share) => {
      for (let i = 0; i < positions.length; i++) {
        positions[i] = from[i] + (points.positions[i] - from[i]) * share;
      }
      this.paint(share < 1 ? { ...points, positions } : points, share < 1);
    });
  }

  #stop(): void {
    this.#motion.stop();
    cancelAnimationFrame(this.#frame);
  }
}

/** Positions moved from one frame to another, so that both frames are filled equally. */
function reframed({ positions, frame }: Points, into: Box): Float32Array {
  const extent = ({ x0, y0, x1, y1 }: Box) => Math.max(x1 - x0, y1 - y0) || 1;
  const k = extent(into) / extent(frame);
  const dx = (into.x0 + into.x1 - (frame.x0 + frame.x1) * k) / 2;
  const dy = (into.y0 + into.y1 - (frame.y0 + frame.y1) * k) / 2;
  return positions.map((value, i) => value * k + (i % 2 === 0 ? dx : dy));
}
