/** The points to draw: their places, colors and states. */

import type { Box } from "../geometry/plane";

/** States of points: plain, in the background, selected, or hidden. */
export const PLAIN = 0;
export const QUIET = 1;
export const CHOSEN = 2;
export const HIDDEN = 3;

/** Later states cover earlier states. */
export const ORDER = [HIDDEN, QUIET, PLAIN, CHOSEN] as const;

export interface Points {
  /** x0, y0, x1, y1, … */
  readonly positions: Float32Array;
  /** Index in the palette. */
  readonly codes: Uint16Array;
  /** `PLAIN`, `QUIET`, `CHOSEN` or `HIDDEN`. */
  readonly states: Uint8Array;
  readonly palette: readonly string[];
  /** Shapes of the palette entries; without them, all points are discs. */
  readonly shapes?: Uint8Array | null;
  /** Edge colors of the palette entries; without them, points have no edges. */
  readonly edges?: readonly string[] | null;
  /** The palette for `QUIET` points. */
  readonly quietPalette: readonly string[];
  /** Whether points are opaque, because pale points would be invisible on regions. */
  readonly isOpaque?: boolean;
  /** The part of the plane that the points fill. */
  readonly frame: Box;
  /** Depths of a 3-D map; null for a plane. */
  readonly depth?: Depths | null;
}

/** Points in order of depth, and their nearness, which controls fading. */
export interface Depths {
  /** The points from the farthest to the nearest. */
  readonly order: Uint32Array;
  /** Nearness of each point, from 0 to 1. */
  readonly nearness: Float32Array;
  readonly paper: string;
}

/** More points have no edges, because only edges would be visible. */
export const MOST_EDGED = 5000;
