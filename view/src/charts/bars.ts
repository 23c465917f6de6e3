/** Horizontal bars in a group for each feature, with exact numbers. */

import { number, onTwoLines } from "../format";
import { CHARTS, NAMES } from "../messages";
import { distinctNames, shortened } from "../scene/names";
import { drawing, onPress, svg } from "../ui/elements";

export interface Series {
  readonly name: string;
  readonly color: string;
  /** Color of values below zero, if they have another meaning. */
  readonly negative?: string;
  /** Below 1 if several series share a color; bars then have an outline. */
  readonly opacity?: number;
}

export interface BarGroup {
  readonly name: string;
  /** One value for each series; NaN if it is missing. */
  readonly values: readonly number[];
  /** The values in words, if they are not only numbers. */
  readonly words?: readonly string[];
  /** The category of each value, shown instead of bars. */
  readonly categories?: readonly string[];
  /** A note about each value. */
  readonly notes?: readonly string[];
  /** The interval of the first value, drawn as a line over its bar. */
  readonly interval?: Domain;
  /** What a click on the name does: it shows or hides the parts. */
  readonly opens?: { readonly isOpen: boolean; toggle(): void };
  /** Whether this group is a part of an open group above. */
  readonly isPart?: boolean;
}

export interface Domain {
  readonly low: number;
  readonly high: number;
}

const BAR = 8;
const GAP = 4;
const GROUP_GAP = 12;
/** Width of a number, and of a date. */
const NUMBERS = 56;
const WORDS = 72;
const LETTER = 7;
const LINE = 13;
const INDENT = 14;
/** Width in letters of the sign that opens a group, or of the indent of a part. */
const TAKEN = 2;
const LINE_GAP = 8;
const LONGEST_WORDS = 24;

/**
 * Bars from zero, one per series in each group. With "each", each group has its own axis,
 * for values in different units.
 */
export function bars(
  groups: readonly BarGroup[],
  series: readonly Series[],
  width: number,
  label: string,
  axis: Domain | "each" = domainOf(groups),
): SVGSVGElement {
  const layout = layoutOf(groups, series, width);
  const height = layout.steps.reduce((a, b) => a + b, 0);
  const look = { class: "ls-chart ls-bars", role: "list", "aria-label": label };
  const root = drawing(width, Math.max(height, 4), look);
  let top = 0;
  groups.forEach((group, g) => {
    const own = axis === "each" ? [group] : groups;
    const x = scaleOf(axis === "each" ? domainOf(own) : axis, layout);
    const place = { x, top, bottom: top + layout.steps[g], words: writer(own) };
    root.append(groupOf(group, series, layout.lines[g], layout, place));
    top = place.bottom;
  });
  return root;
}

/** The widths of names and bars, and the heights of the groups. */
interface Layout {
  readonly width: number;
  /** The left end of the bars, and the length of the longest bar. */
  readonly start: number;
  readonly room: number;
  /** The names of the groups, on one line or two. */
  readonly lines: readonly string[][];
  readonly steps: readonly number[];
  /** Height of the bars of a group. */
  readonly inside: number;
}

function layoutOf(
  groups: readonly BarGroup[],
  series: readonly Series[],
  width: number,
): Layout {
  const names = Math.round(Math.min(0.4 * width, 200) / 4) * 4;
  const numbers = groups.some(({ words }) => words) ? WORDS : NUMBERS;
  const letters = Math.floor(names / LETTER);
  const taken = groups.some(({ opens, isPart }) => opens || isPart) ? TAKEN : 0;
  const short = distinctNames(groups, 2 * (letters - taken) - 2);
  const lines = short.map((name) => onTwoLines(name, letters - taken));
  const inside = series.length * (BAR + GAP) - GAP;
  const steps = lines.map(({ length }) =>
    Math.max(inside + GROUP_GAP, length > 1 ? length * LINE + LINE_GAP : 0),
  );
  const room = width - names - numbers - 8;
  return { width, start: names + 8, room, lines, steps, inside };
}

/** The position of each value; values beyond the ends are drawn at the ends. */
function scaleOf(
  { low, high }: Domain,
  { start, room }: Layout,
): (value: number) => number {
  const span = high - low || 1;
  return (value) =>
    start + ((Math.min(Math.max(value, low), high) - low) / span) * room;
}

interface Place {
  x(value: number): number;
  readonly top: number;
  readonly bottom: number;
  words(value: number): string;
}

function groupOf(
  group: BarGroup,
  series: readonly Series[],
  lines: readonly string[],
  { width, inside, start }: Layout,
  { x, top, bottom, words }: Place,
): SVGGElement {
  const middle = (top + bottom) / 2;
  const y = (s: number) => middle - inside / 2 + s * (BAR + GAP);
  return svg(
    "g",
    {
      role: "listitem",
      "aria-label": group.name,
      "data-feature": group.name,
      class: group.isPart ? "ls-bar-part-of" : null,
    },
    nameOf(group, lines, middle),
    ...series.flatMap((one, s) =>
      group.categories
        ? category(group.name, group.categories[s], one, start, y(s))
        : bar(group, one, s, { x, y: y(s), width, words }),
    ),
    group.interval
      ? svg("path.ls-interval", { d: whisker(group.interval, x, y(0) + BAR / 2) })
      : null,
    svg("line.ls-axis", { x1: x(0), x2: x(0), y1: top, y2: bottom }),
  );
}

/** A line with a mark at each end. */
function whisker({ low, high }: Domain, x: Place["x"], y: number): string {
  const end = (at: number) => `M${at} ${y - GAP}V${y + GAP}`;
  return `M${x(low)} ${y}H${x(high)}${end(x(low))}${end(x(high))}`;
}

function nameOf(
  { name, opens, isPart }: BarGroup,
  lines: readonly string[],
  middle: number,
): SVGTextElement {
  const first = middle + 4 - ((lines.length - 1) * LINE) / 2;
  const x = isPart ? INDENT : 0;
  const sign = opens ? (opens.isOpen ? "▾ " : "▸ ") : "";
  return svg(
    "text.ls-bar-name",
    { ...(opens ? switchOf(name, opens) : {}) },
    svg("title", opens ? CHARTS.categories(name) : name),
    ...lines.map((line, k) =>
      svg("tspan", { x, y: first + k * LINE }, k === 0 ? `${sign}${line}` : line),
    ),
  );
}

function switchOf(name: string, { isOpen, toggle }: NonNullable<BarGroup["opens"]>) {
  return {
    role: "button",
    tabindex: 0,
    "data-key": `open:${name}`,
    "aria-expanded": String(isOpen),
    onclick: toggle,
    onkeydown: onPress(toggle),
  };
}

/** The interval from the lowest to the highest value, including zero. */
export function domainOf(groups: readonly BarGroup[]): Domain {
  const values = groups
    .flatMap(({ values, interval }) => [...values, interval?.high ?? 0])
    .filter(Number.isFinite);
  return {
    low: values.reduce((a, b) => Math.min(a, b), 0),
    high: values.reduce((a, b) => Math.max(a, b), 0),
  };
}

/** Use the same number of decimals for all bars, unless this would hide small values. */
function writer(groups: readonly BarGroup[]): (value: number) => string {
  const sizes = groups.map((group) => Math.max(...group.values.map(Math.abs)));
  const largest = Math.max(...sizes.filter(Number.isFinite));
  if (!(largest > 0) || largest >= 1e6 || largest > 1e4 * Math.min(...sizes)) {
    return number;
  }
  const decimals = Math.min(Math.max(2 - Math.floor(Math.log10(largest)), 0), 9);
  return (value) =>
    // Adding zero changes -0 to 0.
    Number.isFinite(value)
      ? (Number(value.toFixed(decimals)) + 0).toFixed(decimals).replace("-", "−")
      : number(value);
}

/** The category of a value, next to its color. */
function category(
  name: string,
  words: string,
  { name: whose, color, opacity }: Series,
  x: number,
  y: number,
): SVGElement[] {
  const label = `${name}, ${whose}: ${words}`;
  return [
    svg("rect.ls-bar-mark", {
      role: "img",
      "aria-label": label,
      "data-category": words,
      x: x + 4,
      y,
      width: BAR,
      height: BAR,
      style: `fill: ${color}; stroke: ${opacity === undefined ? "none" : color}`,
      "fill-opacity": opacity ?? 1,
    }),
    svg(
      "text.ls-value",
      { x: x + 8 + BAR, y: y + BAR },
      svg("title", label),
      shortened(words, LONGEST_WORDS),
    ),
  ];
}

function bar(
  group: BarGroup,
  series: Series,
  s: number,
  place: Pick<Place, "x" | "words"> & { y: number; width: number },
): SVGElement[] {
  const value = group.values[s];
  const known = Number.isFinite(value);
  const note = group.notes === undefined ? "" : ` (${group.notes[s]})`;
  const [from, to] = [place.x(0), place.x(known ? value : 0)];
  const exact = group.words?.[s] ?? number(value);
  const label = `${group.name}, ${series.name}: ${known ? exact + note : NAMES.missing}`;
  const color = (value < 0 ? series.negative : undefined) ?? series.color;
  return [
    svg(
      "rect.ls-bar-mark",
      {
        role: "img",
        "aria-label": label,
        "data-value": known ? value : "",
        x: Math.min(from, to),
        y: place.y,
        width: Math.max(Math.abs(to - from), known && value !== 0 ? 1 : 0),
        height: BAR,
        style: `fill: ${color}; stroke: ${series.opacity === undefined ? "none" : color}`,
        "fill-opacity": series.opacity ?? 1,
      },
      svg("title", label),
    ),
    svg(
      "text.ls-value",
      { x: place.width, y: place.y + BAR, "text-anchor": "end" },
      group.words?.[s] ?? place.words(value),
    ),
  ];
}

// A single bar, divided into shares.

interface Share {
  readonly name: string;
  readonly count: number;
  readonly color: string;
}

const HEIGHT = 12;

/** Shares side by side, separated by thin lines. */
export function stackedBar(
  shares: readonly Share[],
  width: number,
  label: string,
): SVGSVGElement {
  const total = shares.reduce((sum, share) => sum + share.count, 0) || 1;
  const look = { class: "ls-chart", role: "list", "aria-label": label };
  const root = drawing(width, HEIGHT, look);
  let x = 0;
  for (const { name, count, color } of shares) {
    const part = (count / total) * width;
    const words = CHARTS.share(name, count, count / total);
    root.append(
      svg(
        "rect",
        {
          role: "listitem",
          "aria-label": words,
          "data-value": count,
          x,
          y: 0,
          width: Math.max(part - 1, Math.min(part, 0.5)),
          height: HEIGHT,
          fill: color,
        },
        svg("title", words),
      ),
    );
    x += part;
  }
  return root;
}
