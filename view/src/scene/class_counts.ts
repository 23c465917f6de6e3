/** How many points each class has. */

import { type Codes, noClass, type Tensor } from "./scene";

/** How many points each class has, the most frequent first. -1 is no class. */
export function classCounts(
  codes: Tensor<Codes>,
  selection: Uint32Array | null,
  nClasses: number,
): { index: number; size: number }[] {
  const sizes = new Uint32Array(nClasses + 1);
  const { data } = codes;
  const none = noClass(codes);
  const n = selection?.length ?? data.length;
  for (let k = 0; k < n; k++) {
    const code = data[selection === null ? k : selection[k]];
    sizes[code === none ? 0 : code + 1] += 1;
  }
  return Array.from(sizes, (size, i) => ({ index: i - 1, size }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size);
}
