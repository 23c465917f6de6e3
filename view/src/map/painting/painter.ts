/** Choice of the painter: WebGL, or the processor if it is faster or WebGL is missing. */

import { STAGE } from "../../messages";
import type { Painter } from "./appearance";
import { RasterPainter } from "./raster";
import { graphics, WebGlPainter } from "./webgl";

/** Without a graphics card, WebGL is too slow for more points. */
const FEW = 20_000;
/** A rotated map draws all points again in every frame. */
const FEW_TURNED = 5000;

/** Requirements for a painter: shapes other than discs, and points in front of others. */
interface Wanted {
  readonly shapes: boolean;
  readonly depth: boolean;
}

/** The painter for a number of points, and a message for the user. */
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
