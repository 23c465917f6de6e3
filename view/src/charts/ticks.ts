/** Round numbers along an axis. */

/** About `count` round numbers from low to high. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) {
    return [low];
  }
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((part) => part * power >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/** Powers of ten from low to high; 1, 2, 5, 10 ... where there are few of them. */
export function logTicks(low: number, high: number): number[] {
  const powers: number[] = [];
  for (let p = Math.floor(Math.log10(low)); 10 ** p <= high * (1 + 1e-9); p++) {
    powers.push(10 ** p);
  }
  const all = powers.length > 3 ? powers : powers.flatMap((p) => [p, 2 * p, 5 * p]);
  return all.filter((p) => p >= low * (1 - 1e-9) && p <= high * (1 + 1e-9));
}
