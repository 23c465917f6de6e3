/** What draws the points: WebGL, or the processor where that is faster or all there is. */

import { STAGE } from "../../messages";
import type { Painter } from "./points";
import { RasterPainter } from "./raster";
import { graphics, WebGlPainter } from "./webgl";

/** WebGL without a graphics card draws more points than this too slowly. */
const FEW = 20_000;
/** Turned, all points are new in every frame. */
const FEW_TURNED = 5000;

/** What is asked of a painter: other shapes than discs, and points in front of others. */
interface Wanted {
  readonly shapes: boolean;
  readonly depth: boolean;
}

/** The painter for a number of points, and what a person should know about it. */
export function choosePainter(
  n: number,
  { shapes, depth }: Wanted,
  kind = graphics(),
): { painter: Painter; words: string | null } {
  if (kind === "none") {
    return { painter: new RasterPainter(), words: STAGE.noWebGl };
  }
  const few = depth ? FEW_TURNED : FEW;
  const isSlow = kind === "software" && n > few;
  const isRaster = isSlow || (shapes && !depth && n <= FEW);
  return { painter: isRaster ? new RasterPainter() : new WebGlPainter(), words: null };
}
