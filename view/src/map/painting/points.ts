/** What is drawn of the points, and what a painter is. */

import type { Camera, Size } from "../camera";
import type { Box } from "../geometry";

/** How a point is drawn: as it is, in the background, chosen, or not at all. */
export const PLAIN = 0;
export const QUIET = 1;
export const CHOSEN = 2;
export const HIDDEN = 3;

/** What is drawn first is covered by what comes after. */
export const ORDER = [HIDDEN, QUIET, PLAIN, CHOSEN] as const;

export interface Points {
  /** x0, y0, x1, y1, … */
  readonly positions: Float32Array;
  /** Place in the palette. */
  readonly codes: Uint16Array;
  /** `PLAIN`, `QUIET`, `CHOSEN` or `HIDDEN`. */
  readonly states: Uint8Array;
  readonly palette: readonly string[];
  /** Shapes of the places in the palette; without them, all points are discs. */
  readonly shapes?: Uint8Array | null;
  /** Edges of these colors; without them, points have none. */
  readonly edges?: readonly string[] | null;
  /** The same colors for what is `QUIET`. */
  readonly quietPalette: readonly string[];
  /** Whether nothing shines through points: on regions, pale ones would be lost. */
  readonly isOpaque?: boolean;
  /** The part of the plane that the points fill. */
  readonly frame: Box;
  /** Of a map with three dimensions; null of others. */
  readonly depth?: Depths | null;
}

/** Which points are in front of others, and what those farther away fade to. */
export interface Depths {
  /** The points from the farthest to the nearest. */
  readonly order: Uint32Array;
  /** How near each is, from 0 to 1. */
  readonly nearness: Float32Array;
  readonly paper: string;
}

/**
 * How strong the colors of the farthest and the nearest points are, and how large they
 * are, times what is usual. No color is so pale that it is taken for another one.
 */
export const STRENGTHS = [0.75, 1] as const;
export const GROWTHS = [0.7, 1.25] as const;

/** What lies so near between the farthest and the nearest. */
export function atDepth(ends: readonly [number, number], nearness: number): number {
  return ends[0] + (ends[1] - ends[0]) * nearness;
}

export interface Painter {
  readonly canvas: HTMLCanvasElement;
  /** Show points, moving there from where they were within some milliseconds. */
  show(points: Points, duration: number): void;
  /** Show another part of the plane; `moving` while more of it will follow at once. */
  look(camera: Camera, size: Size, moving: boolean): void;
  /** A picture of what is shown, at some multiple of its size, as an address. */
  picture(scale: number): Promise<string>;
  destroy(): void;
}

/** Diameters in pixels and opacities, in the order of the states. */
export interface Look {
  readonly sizes: readonly [number, number, number, number];
  readonly opacities: readonly [number, number, number, number];
  /** How wide edges are; `EDGE` where nothing is said. */
  readonly edge?: number;
}

/** However near, points grow no further: they are places, not things. */
const MOST_GROWTH = 2.2;

/** How n points look: smaller and paler the more they are, larger when zoomed in. */
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

/** How these points look. */
export function appearanceOf({ codes, isOpaque }: Points, zoom: number): Look {
  const look = lookOf(codes.length, zoom);
  const [, quiet] = look.opacities;
  return isOpaque ? { ...look, opacities: [1, quiet, 1, 0] } : look;
}

/** How wide the edge of a point is, in pixels. */
export const EDGE = 1.25;
/** More points than this have no edge: it would be all that is seen of them. */
export const MOST_EDGED = 5000;

/** Whether points of a state have an edge, where points have one. */
export function isEdged(state: number): boolean {
  return state === PLAIN || state === CHOSEN;
}

/** How much larger the plane is shown than where the frame just fills the stage. */
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
