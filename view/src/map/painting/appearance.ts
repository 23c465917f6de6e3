/** The look of points, and the interface of painters. */

import { CHOSEN, PLAIN, type Points } from "../../color/points";
import type { Box } from "../../geometry/plane";
import type { Camera, Size } from "../camera";

/**
 * Strength of the colors of the farthest and the nearest points, and their sizes, as
 * multiples of the default. Colors remain strong enough to be distinguished.
 */
export const STRENGTHS = [0.75, 1] as const;
export const GROWTHS = [0.7, 1.25] as const;

/** The value at a nearness between the farthest and the nearest point. */
export function atDepth(ends: readonly [number, number], nearness: number): number {
  return ends[0] + (ends[1] - ends[0]) * nearness;
}

export interface Painter {
  readonly canvas: HTMLCanvasElement;
  /** Show points; they move from their earlier positions within some milliseconds. */
  show(points: Points, duration: number): void;
  /** Show another part of the plane; `moving` if more changes follow at once. */
  look(camera: Camera, size: Size, moving: boolean): void;
  /** A picture of the current view at a multiple of its size, as a data URL. */
  picture(scale: number): Promise<string>;
  destroy(): void;
}

/** Diameters in pixels and opacities, in the order of the states. */
export interface Look {
  readonly sizes: readonly [number, number, number, number];
  readonly opacities: readonly [number, number, number, number];
  /** Width of edges; the default is `EDGE`. */
  readonly edge?: number;
}

/** Limit of the growth of points when the user zooms in. */
const MOST_GROWTH = 2.2;

/** The look of n points: many points are smaller and paler; zooming in makes points larger. */
export function lookOf(n: number, zoom: number): Look {
  const magnitude = Math.log10(Math.max(n, 1));
  const nearer = clamped(Math.asinh(zoom) / Math.asinh(1), 0.5, MOST_GROWTH);
  const size = nearer * clamped(9 - 1.85 * (magnitude - 2.2), 2, 9);
  const opacity = Math.min(
    clamped(0.92 - 0.2 * (magnitude - 3), 0.3, 0.92) * Math.sqrt(nearer),
    0.92,
  );
  return {
    sizes: [size, size * 0.9, size * 1.25, 0],
    opacities: [opacity, opacity, 0.98, 0],
  };
}

/** The look of these points. */
export function appearanceOf({ codes, isOpaque }: Points, zoom: number): Look {
  const look = lookOf(codes.length, zoom);
  const [, quiet] = look.opacities;
  return isOpaque ? { ...look, opacities: [1, quiet, 1, 0] } : look;
}

/** Width of the edge of a point, in pixels. */
export const EDGE = 1.25;

/** Whether points of a state have an edge, if points have edges at all. */
export function isEdged(state: number): boolean {
  return state === PLAIN || state === CHOSEN;
}

/** The zoom factor relative to the camera in which the frame just fills the stage. */
export function zoomOf(camera: Camera, size: Size, frame: Box): number {
  const width = frame.x1 - frame.x0;
  const height = frame.y1 - frame.y0;
  const whole = Math.min(
    size.width / (width || height || 1),
    size.height / (height || width || 1),
  );
  return camera.scale / whole;
}

function clamped(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
