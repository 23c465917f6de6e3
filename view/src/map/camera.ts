/** The camera of a map: the visible part, its movements, and animated flights. */

import type { Box, Point } from "../geometry/plane";

export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The camera that shows a whole box, with a margin in pixels. */
export function cameraFor(box: Box, size: Size, margin = 28): Camera {
  const width = Math.max(size.width - 2 * margin, 1);
  const height = Math.max(size.height - 2 * margin, 1);
  // The box of a single point, or of points on a line, has no width or height.
  const extent = Math.max(box.x1 - box.x0, box.y1 - box.y0) || 1;
  return {
    x: (box.x0 + box.x1) / 2,
    y: (box.y0 + box.y1) / 2,
    scale: Math.min(
      width / Math.max(box.x1 - box.x0, extent * 1e-6),
      height / Math.max(box.y1 - box.y0, extent * 1e-6),
    ),
  };
}

/** Convert a place of the plane to pixels of the stage. */
export function toScreen(camera: Camera, size: Size, x: number, y: number): Point {
  return [
    size.width / 2 + (x - camera.x) * camera.scale,
    size.height / 2 - (y - camera.y) * camera.scale,
  ];
}

/** Convert pixels of the stage to a place of the plane. */
export function toPlane(camera: Camera, size: Size, sx: number, sy: number): Point {
  return [
    camera.x + (sx - size.width / 2) / camera.scale,
    camera.y - (sy - size.height / 2) / camera.scale,
  ];
}

/** Move the visible part by a number of pixels. */
export function panned(camera: Camera, dx: number, dy: number): Camera {
  const { x, y, scale } = camera;
  return { x: x - dx / scale, y: y + dy / scale, scale };
}

/** Zoom by a factor; the place at a given pixel does not move. */
export function zoomed(
  camera: Camera,
  size: Size,
  [sx, sy]: Point,
  factor: number,
): Camera {
  const [x, y] = toPlane(camera, size, sx, sy);
  return {
    x: x + (camera.x - x) / factor,
    y: y + (camera.y - y) / factor,
    scale: camera.scale * factor,
  };
}

/** A camera between two cameras; scales are interpolated geometrically. */
export function between(from: Camera, to: Camera, t: number): Camera {
  return {
    x: from.x + (to.x - from.x) * t,
    y: from.y + (to.y - from.y) * t,
    scale: from.scale * (to.scale / from.scale) ** t,
  };
}

// The camera of a stage, which is set at once or moves in a flight.

/** Milliseconds after a movement during which the picture counts as moving. */
const PAUSE = 160;

export class CameraControl {
  size: Size = { width: 0, height: 0 };
  camera: Camera = { x: 0, y: 0, scale: 1 };
  readonly #flight = new Motion();
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onMove: (moving: boolean) => void) {}

  /** Set the camera at once; more movements will follow. */
  move(camera: Camera): void {
    this.#flight.stop();
    this.#step(camera);
  }

  /** Set the camera at once; no movement will follow. */
  set(camera: Camera): void {
    this.#flight.stop();
    clearTimeout(this.#pause);
    this.camera = camera;
    this.onMove(false);
  }

  /** Move the camera in a flight of some milliseconds. */
  fly(to: Camera, milliseconds: number): void {
    if (milliseconds > 0) {
      const from = this.camera;
      this.#flight.play(milliseconds, (share) => this.#step(between(from, to, share)));
    } else {
      this.set(to);
    }
  }

  destroy(): void {
    this.#flight.stop();
    clearTimeout(this.#pause);
  }

  #step(camera: Camera): void {
    this.camera = camera;
    this.onMove(true);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.onMove(false), PAUSE);
  }
}

// A motion of some milliseconds, slow at the start and at the end.

export class Motion {
  #frame = 0;

  /** Call `step` with the completed share of the motion: now, and in each frame until it is 1. */
  play(milliseconds: number, step: (share: number) => void): void {
    this.stop();
    const start = performance.now();
    const next = () => {
      const t =
        milliseconds > 0 ? Math.min((performance.now() - start) / milliseconds, 1) : 1;
      if (t < 1) {
        // Before the step, which may stop the motion.
        this.#frame = requestAnimationFrame(next);
      }
      step(t * t * (3 - 2 * t));
    };
    next();
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }
}
