/** Who draws the points: WebGL, or the processor where that is faster or all there is. */

import type { Painter } from "./points";
import { RasterPainter } from "./raster";
import { graphics, ScatterPainter } from "./scatter";

/** WebGL without a graphics card draws more points than this too slowly. */
const FEW = 20_000;

const NO_WEBGL =
  "This browser has no WebGL, so the points are drawn in a plainer way. " +
  "To get it, turn on hardware acceleration in the browser's settings.";

/**
 * The painter for a number of points, and what a person should know about it. Only the
 * processor draws other shapes than discs; of many points, no shape would be seen.
 */
export function choosePainter(
  n: number,
  hasShapes: boolean,
): { painter: Painter; words: string | null } {
  const kind = graphics();
  if (kind === "none") {
    return { painter: new RasterPainter(), words: NO_WEBGL };
  }
  const slow =
    kind === "forbidden" || (kind === "software" && n > FEW) || (hasShapes && n <= FEW);
  return { painter: slow ? new RasterPainter() : new ScatterPainter(), words: null };
}
