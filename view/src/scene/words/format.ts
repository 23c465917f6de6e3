/** Numbers as people read them. */

/** A number with about four digits that matter. */
export function number(value: number | null): string {
  if (value === null || !Number.isFinite(value)) {
    return "–";
  }
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    return minus(value.toExponential(2).replace("e+", "e"));
  }
  return minus(String(Number(value.toPrecision(4))));
}

/** A whole number, its thousands apart. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** A whole number on little room: "12k". */
export function rough(value: number): string {
  return value < 10_000 ? count(value) : `${count(Math.round(value / 1000))}k`;
}

/** A share from 0 to 1 in percent; only 1 is 100 %. */
export function percent(share: number | null): string {
  if (share === null || !Number.isFinite(share)) {
    return "–";
  }
  const value = 100 * share;
  if (value > 99 && value < 100) {
    return `${(Math.floor(10 * value) / 10).toFixed(1)} %`;
  }
  const digits = value > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} %`;
}

/** "1 object", "2 objects". */
export function counted(
  value: number,
  singular: string,
  plural = `${singular}s`,
): string {
  return `${count(value)} ${value === 1 ? singular : plural}`;
}

function minus(text: string): string {
  return text.replace(/^-/, "−");
}
