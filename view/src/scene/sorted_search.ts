/** Finding numbers among ascending ones. */

/** Where a number stands among ascending ones; -1 where it does not. */
export function positionIn(ascending: Uint32Array, wanted: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return ascending[low] === wanted ? low : -1;
}
