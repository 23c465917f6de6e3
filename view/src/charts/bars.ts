/** Horizontal bars, one group per feature, each with its exact number. */

import { CHARTS, NAMES } from "../messages";
import { number, onTwoLines } from "../scene/format";
import { distinctNames, shortened } from "../scene/names";
import { drawing, onPress, svg } from "../ui/elements";

export interface Series {
  readonly name: string;
  readonly color: string;
  /** For values below zero, where they mean something else. */
  readonly negative?: string;
  /** Below 1 where several series share a color: then bars have an outline. */
  readonly opacity?: number;
}

export interface BarGroup {
  readonly name: string;
  /** One value for each series; NaN where it is missing. */
  readonly values: readonly number[];
  /** The values in words, where they are more than numbers. */
  readonly words?: readonly string[];
  /** What each one is, in place of bars, where it is no number. */
  readonly categories?: readonly string[];
  /** What else is to be said of each value. */
  readonly notes?: readonly string[];
  /** The ends of an interval of the first value, drawn as a line over its bar. */
  readonly interval?: Domain;
  /** What its name does: opens what it is made of, or closes it. */
  readonly opens?: { readonly isOpen: boolean; toggle(): void };
  /** Whether it is a part of the one above that is open. */
  readonly isPart?: boolean;
}

export interface Domain {
  readonly low: number;
  readonly high: number;
}

const BAR = 8;
const GAP = 4;
const GROUP_GAP = 12;
/** Room for a number, and for a date. */
const NUMBERS = 56;
const WORDS = 72;
const LETTER = 7;
const LINE = 13;
const INDENT = 14;
/** Letters that the sign of what opens, or the room before a part, takes. */
const TAKEN = 2;
const LINE_GAP = 8;
const LONGEST_WORDS = 24;

/**
 * Bars of each group, one per series, from zero. With "each", groups have axes of their
 * own: for values in different units.
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

/** How the width is shared, and how high each group is. */
interface Layout {
  readonly width: number;
  /** Where bars begin, and how long the longest can be. */
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

/** Where values are; those beyond the ends are at the ends. */
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

/** A line with an end on either side. */
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

/** From the lowest to the highest value, with zero. */
export function domainOf(groups: readonly BarGroup[]): Domain {
  const values = groups
    .flatMap(({ values, interval }) => [...values, interval?.high ?? 0])
    .filter(Number.isFinite);
  return {
    low: values.reduce((a, b) => Math.min(a, b), 0),
    high: values.reduce((a, b) => Math.max(a, b), 0),
  };
}

/** As many decimals for all bars, unless these would hide the small ones. */
function writer(groups: readonly BarGroup[]): (value: number) => string {
  const sizes = groups.map((group) => Math.max(...group.values.map(Math.abs)));
  const largest = Math.max(...sizes.filter(Number.isFinite));
  if (!(largest > 0) || largest >= 1e6 || largest > 1e4 * Math.min(...sizes)) {
    return number;
  }
  const decimals = Math.min(Math.max(2 - Math.floor(Math.log10(largest)), 0), 9);
  return (value) =>
    // Adding zero turns -0 into 0.
    Number.isFinite(value)
      ? (Number(value.toFixed(decimals)) + 0).toFixed(decimals).replace("-", "−")
      : number(value);
}

/** What one of the compared is, beside its color. */
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

// One bar, cut into shares.

interface Share {
  readonly name: string;
  readonly count: number;
  readonly color: string;
}

const HEIGHT = 12;

/** Shares side by side, with hairs between them. */
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
