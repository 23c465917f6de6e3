/** A map that is nearly a line, drawn larger in its narrow direction. */

import type { SceneMap, Tensor } from "./scene";

/** The map as it is drawn: everything on it multiplied by its `stretch`. */
export function stretched(map: SceneMap): SceneMap {
  const [sx, sy] = map.stretch ?? [1, 1];
  if (sx === 1 && sy === 1) {
    return map;
  }
  const places = ({ data, shape }: Tensor<Float32Array>): Tensor<Float32Array> => ({
    data: data.map((value, i) => value * (i % 2 === 0 ? sx : sy)),
    shape,
  });
  const { positions, prototypes, regions } = map;
  const [x0, y0, x1, y1] = regions?.box ?? [0, 0, 0, 0];
  return {
    ...map,
    positions: places(positions),
    prototypes: prototypes && places(prototypes),
    regions: regions && { ...regions, box: [sx * x0, sy * y0, sx * x1, sy * y1] },
  };
}
