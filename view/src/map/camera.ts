/** Which part of the plane a stage shows: `x`, `y` in its middle, `scale` pixels a unit. */

import type { Box, Point } from "./geometry";

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
  // A map of a single point, or all on a line, has no extent of its own.
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

/** From the plane to pixels of the stage. */
export function toScreen(camera: Camera, size: Size, x: number, y: number): Point {
  return [
    size.width / 2 + (x - camera.x) * camera.scale,
    size.height / 2 - (y - camera.y) * camera.scale,
  ];
}

/** From pixels of the stage to the plane. */
export function toPlane(camera: Camera, size: Size, sx: number, sy: number): Point {
  return [
    camera.x + (sx - size.width / 2) / camera.scale,
    camera.y - (sy - size.height / 2) / camera.scale,
  ];
}

/** Move what is shown by some pixels. */
export function panned(camera: Camera, dx: number, dy: number): Camera {
  const { x, y, scale } = camera;
  return { x: x - dx / scale, y: y + dy / scale, scale };
}

/** Zoom by a factor, keeping the place under a pixel where it is. */
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

/** Between two cameras: scales are mixed by ratio, as zooming feels. */
export function between(from: Camera, to: Camera, t: number): Camera {
  return {
    x: from.x + (to.x - from.x) * t,
    y: from.y + (to.y - from.y) * t,
    scale: from.scale * (to.scale / from.scale) ** t,
  };
}
