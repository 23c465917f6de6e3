/** Colors of classes and numbers, distinct for people with any color vision. */

import palette from "../../../src/labelscape/plotting/palette.json";

export type Rgb = readonly [number, number, number];

/** The colors of classes, as in figures. They repeat after twelve classes. */
export const COLORS: readonly string[] = Object.values(palette.classes);

/** Color of "no class", and of missing numbers. */
export const NONE = "#9AA0A8";

/** The number of colors in a color scale. */
export const SHADES = 256;

/** From low to high. Colors that are hardly visible on the background are left out. */
const NUMBERS = {
  light: ["#46085C", "#3E4A89", "#26828E", "#2FA06B", "#8DB010", "#CBB000"],
  dark: ["#5B4FA2", "#3B6FB0", "#2A9394", "#4FC27C", "#B4DE4A", "#FDE73B"],
} as const;

/** From none to full; "none" is dark enough for points. */
const FALSE = {
  light: ["#B3B3B3", palette.distortion.false],
  dark: ["#4A4F57", "#FF8A26"],
} as const;
const TEARS = {
  light: ["#B3B3B3", palette.distortion.tears],
  dark: ["#4A4F57", "#5CA0FF"],
} as const;

export type Shade = "light" | "dark";
export type Ramp = "numbers" | "false_neighbours" | "tears";

/** The least contrast with the background of dark pages. */
const LEAST_CONTRAST = 3;
/** Colors of text and lines, as in `tokens.css`. */
export const TONES = {
  light: {
    ink: palette.ink,
    paper: palette.paper,
    accent: palette.classes.blue,
    quiet: palette.quiet,
    warning: "#A62314",
  },
  dark: {
    ink: "#F2F4F6",
    paper: "#14171B",
    accent: "#8FBCFF",
    quiet: "#7C848E",
    warning: "#F0806E",
  },
} as const;
/** The contrast of background points with the page, and how much of their color remains. */
const QUIET_CONTRAST = 2.2;
const QUIET_CHROMA = 0.4;

/** The strength of region colors: everywhere, and where the classifier is certain. */
export const TINTS = {
  light: { paper: 0.05, sure: 0.15 },
  dark: { paper: 0.07, sure: 0.17 },
} as const;

const ON_DARK = COLORS.map(lightened);

/** The colors of classes on a light or dark page: from the palette, or lighter. */
export function classColors(shade: Shade): readonly string[] {
  return shade === "dark" ? ON_DARK : COLORS;
}

/** The color of a class; gray for an index without a class (such as -1). */
export function classColor(index: number, nClasses: number, shade: Shade): string {
  const isClass = index >= 0 && index < nClasses;
  return isClass ? classColors(shade)[index % COLORS.length] : NONE;
}

/** The CSS color of a class; `-quiet` is its color in the background. */
export function classPaint(
  index: number,
  nClasses: number,
  tone: "" | "-quiet" = "",
): string {
  const isClass = index >= 0 && index < nClasses;
  return isClass ? `var(${classProperty(index % COLORS.length)}${tone})` : NONE;
}

/** The CSS custom property with a color of the palette. */
export function classProperty(index: number): string {
  return `--ls-class-${index}`;
}

/** Make a color just light enough, with the same hue and saturation. */
function lightened(color: string): string {
  const [L, a, b] = oklab(rgb(color));
  let light = color;
  for (let t = 0.01; contrast(light, TONES.dark.paper) < LEAST_CONTRAST; t += 0.01) {
    light = hex(fromOklab([L + t, a, b]));
  }
  return light;
}

/** The color of a region where the classifier is certain of its class. */
export function regionColor(color: string, shade: Shade): string {
  const { paper, sure } = TINTS[shade];
  const own = rgb(color);
  const below = rgb(TONES[shade].paper);
  return hex(
    [0, 1, 2].map((k) => below[k] + (paper + sure) * (own[k] - below[k])) as never,
  );
}

/** The edge of a point: its color, made darker or lighter to be visible on its region. */
export function edgeColor(color: string, shade: Shade): string {
  const region = regionColor(color, shade);
  const [L, a, b] = oklab(rgb(color));
  const step = shade === "light" ? -0.01 : 0.01;
  let edge = color;
  for (let t = step; contrast(edge, region) < LEAST_CONTRAST; t += step) {
    edge = hex(fromOklab([L + t, a, b]));
  }
  return edge;
}

/** The color of a point in the background: grayer, with the same contrast for all classes. */
export function quieted(color: string, shade: Shade): string {
  const [, a, b] = oklab(rgb(color)).map((part) => part * QUIET_CHROMA);
  const paper = TONES[shade].paper;
  // Start at the color of the page, and stop when the contrast is large enough.
  const step = shade === "light" ? -0.005 : 0.005;
  let L = oklab(rgb(paper))[0];
  let quiet: string = paper;
  while (contrast(quiet, paper) < QUIET_CONTRAST) {
    L += step;
    quiet = hex(fromOklab([L, a, b]));
  }
  return quiet;
}

/** The `SHADES` colors of a color scale. */
export function ramp(name: Ramp, shade: Shade): string[] {
  const stops = { numbers: NUMBERS, false_neighbours: FALSE, tears: TEARS }[name][
    shade
  ];
  const parts = stops.length - 1;
  return Array.from({ length: SHADES }, (_, i) => {
    const place = (i / (SHADES - 1)) * parts;
    const part = Math.min(Math.floor(place), parts - 1);
    return mixed(stops[part], stops[part + 1], place - part);
  });
}

/** `#RRGGBB` as three numbers from 0 to 255. */
export function rgb(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function hex([r, g, b]: Rgb): string {
  const value = (Math.round(r) << 16) | (Math.round(g) << 8) | Math.round(b);
  return `#${value.toString(16).padStart(6, "0").toUpperCase()}`;
}

/** Mix two colors in OKLab, where the middle looks like the middle. */
export function mixed(from: string, to: string, t: number): string {
  const a = oklab(rgb(from));
  const b = oklab(rgb(to));
  return hex(fromOklab([0, 1, 2].map((k) => a[k] + (b[k] - a[k]) * t) as never));
}

/** Contrast of two colors, from 1 (none) to 21 (WCAG). */
export function contrast(color: string, other: string): number {
  const [dark, light] = [luminance(color), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [r, g, b] = rgb(color).map((c) => linear(c / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function oklab(color: Rgb): Rgb {
  const [r, g, b] = color.map((c) => linear(c / 255));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([L, a, b]: Rgb): Rgb {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gammaed(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gammaed(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gammaed(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function linear(c: number): number {
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

function gammaed(value: number): number {
  const c = Math.min(Math.max(value, 0), 1);
  return 255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);
}
