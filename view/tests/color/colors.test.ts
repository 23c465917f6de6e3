import { describe, expect, it } from "vitest";
import {
  COLORS,
  classColor,
  classColors,
  contrast,
  edgeColor,
  hex,
  mixed,
  NONE,
  quieted,
  ramp,
  regionColor,
  rgb,
  SHADES,
} from "../../src/color/colors";

describe("colours", () => {
  it("are twelve, all different, and repeat", () => {
    expect(new Set(COLORS).size).toBe(12);
    expect(classColor(13, 40, "light")).toBe(COLORS[1]);
  });

  it("are grey for what is no class", () => {
    expect(classColor(-1, 3, "light")).toBe(NONE);
    expect(classColor(255, 3, "dark")).toBe(NONE);
  });

  it("stand out from dark paper, where those of the palette would not", () => {
    const dark = classColors("dark");
    expect(new Set(dark).size).toBe(12);
    COLORS.forEach((color, c) => {
      expect(contrast(dark[c], "#14171B")).toBeGreaterThanOrEqual(3);
      if (contrast(color, "#14171B") >= 3) {
        expect(dark[c]).toBe(color);
      }
    });
    expect(classColors("light")).toBe(COLORS);
  });

  it("have edges that stand out from their region, in both themes", () => {
    for (const shade of ["light", "dark"] as const) {
      for (const color of classColors(shade)) {
        const region = regionColor(color, shade);
        const edge = edgeColor(color, shade);
        expect(contrast(edge, region)).toBeGreaterThanOrEqual(3);
        if (contrast(color, region) >= 3) {
          expect(edge).toBe(color);
        }
      }
    }
  });

  it("go to numbers and back", () => {
    expect(rgb("#0A58B8")).toEqual([10, 88, 184]);
    for (const color of COLORS) {
      expect(hex(rgb(color))).toBe(color);
    }
  });

  it("are the ends where nothing is mixed", () => {
    expect(mixed("#0A58B8", "#D19D00", 0)).toBe("#0A58B8");
    expect(mixed("#0A58B8", "#D19D00", 1)).toBe("#D19D00");
  });

  it("make ramps that get lighter, or darker, all the way", () => {
    for (const shade of ["light", "dark"] as const) {
      const shades = ramp("numbers", shade);
      expect(shades).toHaveLength(SHADES);
      const light = shades.map((color) => contrast(color, "#000000"));
      expect(light.slice(1).filter((l, i) => l < light[i] * 0.97)).toEqual([]);
    }
  });

  it("make ramps that stand out from the paper, also at their pale end", () => {
    for (const name of ["numbers", "false_neighbours", "tears"] as const) {
      for (const color of ramp(name, "light")) {
        expect(contrast(color, "#FFFFFF")).toBeGreaterThanOrEqual(2);
      }
      for (const color of ramp(name, "dark")) {
        expect(contrast(color, "#14171B")).toBeGreaterThanOrEqual(2);
      }
    }
  });

  it("step back to one distance from the paper, and keep a trace of their hue", () => {
    const papers = { light: "#FFFFFF", dark: "#14171B" } as const;
    for (const shade of ["light", "dark"] as const) {
      const quiet = COLORS.map((color) => quieted(color, shade));
      for (const color of quiet) {
        expect(contrast(color, papers[shade])).toBeGreaterThanOrEqual(2.2);
        expect(contrast(color, papers[shade])).toBeLessThan(2.5);
      }
      expect(new Set(quiet).size).toBe(COLORS.length);
    }
  });

  it("stand out as WCAG measures it", () => {
    expect(contrast("#000000", "#FFFFFF")).toBeCloseTo(21);
    expect(contrast("#777777", "#777777")).toBe(1);
  });
});
