/** Values of features in a readable form: a day, no or yes, or a number. */

import { number } from "../format";
import { NAMES } from "../messages";
import { type Feature, positionIn } from "./scene";

type Kind = Partial<Pick<Feature, "kind">>;

export interface ShownValue {
  readonly words: string;
  /** A note about the value. */
  readonly title?: string;
}

const DAY = 86_400_000;
/** The largest number of days from 1970 that a browser can convert. */
const MOST_DAYS = 1e8;
/** The rounding error of single precision, in days, for present dates. */
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

/** The value of a point, in words; an imputed value is marked. */
export function shownValue(feature: Feature, point: number): ShownValue {
  const words = written(feature, feature.values[point]);
  return isImputed(feature, point)
    ? { words: NAMES.missing, title: NAMES.imputed(words) }
    : { words };
}

/** Whether the value of a point was missing and has been imputed. */
export function isImputed({ imputed }: Feature, point: number): boolean {
  return imputed !== null && positionIn(imputed, point) >= 0;
}

/** A value entered by the user, as a number; NaN if it is not valid. */
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

/** The value used in comparisons with the user's input: for times, the day. */
export function comparable({ kind }: Kind): (value: number) => number {
  return kind === "date" ? (value) => dayOf(value) : (value) => value;
}

/** The day of a time, also if rounding has moved it to just before midnight. */
function dayOf(value: number): number {
  return Math.floor(value + ROUNDING);
}
