/** Values of features as people write them: a day, no or yes, or a number. */

import { NAMES } from "../messages";
import { number } from "./format";
import { type Feature, positionIn } from "./scene";

type Kind = Partial<Pick<Feature, "kind">>;

export interface ShownValue {
  readonly words: string;
  /** What else is to be said of it. */
  readonly title?: string;
}

const DAY = 86_400_000;
/** Days from 1970 that a browser can name. */
const MOST_DAYS = 1e8;
/** Part of a day that single precision may take away, in our times. */
const ROUNDING = 1 / 500;

/** A value, in words. */
export function written({ kind }: Kind, value: number): string {
  if (kind === "truth" && (value === 0 || value === 1)) {
    return value ? "yes" : "no";
  }
  if (kind === "date" && Math.abs(value) < MOST_DAYS) {
    const [day] = new Date(DAY * dayOf(value)).toISOString().split("T");
    return day;
  }
  return number(value);
}

/** The value of a point, in words; one that was assumed is not shown as measured. */
export function shownValue(feature: Feature, point: number): ShownValue {
  const words = written(feature, feature.values[point]);
  return isImputed(feature, point)
    ? { words: NAMES.missing, title: NAMES.imputed(words) }
    : { words };
}

/** Whether the value of a point was missing, and another one stands in its place. */
export function isImputed({ imputed }: Feature, point: number): boolean {
  return imputed !== null && positionIn(imputed, point) >= 0;
}

/** What a person wrote for a value, as a number; NaN where it says nothing. */
export function meant({ kind }: Kind, words: string): number {
  const text = words.trim().toLowerCase();
  if (kind === "date" && /^\d{4}-\d\d-\d\d$/.test(text)) {
    return Date.parse(text) / DAY;
  }
  if (kind === "truth") {
    const truth = { no: 0, false: 0, yes: 1, true: 1 }[text];
    return truth ?? Number(text);
  }
  return Number(text);
}

/** A value as it is compared with what a person wrote: moments by their day. */
export function comparable({ kind }: Kind): (value: number) => number {
  return kind === "date" ? (value) => dayOf(value) : (value) => value;
}

/** The day of a moment, also where rounding has put it just before midnight. */
function dayOf(value: number): number {
  return Math.floor(value + ROUNDING);
}
