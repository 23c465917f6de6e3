/** Numbers and text in a readable form. */

/** A number with about four significant digits. */
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

/** A whole number with separators of thousands. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** A short form of a whole number: "12k". */
export function rough(value: number): string {
  return value < 10_000 ? count(value) : `${count(Math.round(value / 1000))}k`;
}

/** A share from 0 to 1 in percent; only 1 is shown as 100%. */
export function percent(share: number | null): string {
  if (share === null || !Number.isFinite(share)) {
    return "–";
  }
  const value = 100 * share;
  if (value > 99 && value < 100) {
    return `${(Math.floor(10 * value) / 10).toFixed(1)}%`;
  }
  if (value > 0 && value < 0.05) {
    return "<0.1%";
  }
  const digits = value > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)}%`;
}

/** "1 point", "2 points". */
export function counted(
  value: number,
  singular: string,
  plural = `${singular}s`,
): string {
  return `${count(value)} ${value === 1 ? singular : plural}`;
}

/** A sentence with a capital first letter. */
export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function minus(text: string): string {
  return text.replace(/^-/, "−");
}

// Visible text: without invisible characters, on lines of a given length.

/** Control characters except white space, and characters that XML does not allow. */
const UNSEEN = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;

/** Text with invisible characters replaced, because saved SVG files must not contain them. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, "\ufffd");
}

/** Words on lines of a given width. A word that is longer than a line is divided. */
export function wrapped(
  text: string,
  width: number,
  widthOf: (part: string) => number,
): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== "") {
      lines.push(line);
    }
    line = "";
    for (const sign of Array.from(word)) {
      if (line !== "" && widthOf(line + sign) > width) {
        lines.push(line);
        line = "";
      }
      line += sign;
    }
  }
  return line === "" ? lines : [...lines, line];
}

/** A name on one or two lines of a given length, split between words if possible. */
export function onTwoLines(name: string, length: number): string[] {
  const signs = Array.from(name);
  if (signs.length <= length) {
    return [name];
  }
  const isBetween = (at: number) =>
    /\s/.test(signs[at] ?? "") || /[\s_\-/,.…]/.test(signs[at - 1]);
  let at = length;
  while (at > Math.max(signs.length - length, 1) && !isBetween(at)) {
    at--;
  }
  at = isBetween(at) ? at : length;
  return [signs.slice(0, at), signs.slice(at)].map((part) => part.join("").trim());
}
