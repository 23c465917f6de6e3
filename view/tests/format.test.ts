import { describe, expect, it } from "vitest";
import { count, counted, number, percent, rough } from "../src/format";

describe("numbers", () => {
  it("have about four digits that matter", () => {
    expect(number(2.34567)).toBe("2.346");
    expect(number(-0.5)).toBe("−0.5");
    expect(number(1234.5)).toBe("1235");
    expect(number(0)).toBe("0");
    expect(number(0.00001234)).toBe("1.23e-5");
    expect(number(12345678)).toBe("1.23e7");
    expect(number(-0.0001234)).toBe("−1.23e-4");
  });

  it("are a dash where they are missing", () => {
    expect(number(null)).toBe("–");
    expect(number(Number.NaN)).toBe("–");
    expect(percent(null)).toBe("–");
  });

  it("are counted in words", () => {
    expect(count(1234567)).toBe("1,234,567");
    expect(counted(1, "object")).toBe("1 object");
    expect(counted(2, "class", "classes")).toBe("2 classes");
    expect(percent(0.973)).toBe("97%");
    expect(percent(0.0213)).toBe("2.1%");
    expect([percent(0.9979), percent(0.99999), percent(1)]).toEqual([
      "99.7%",
      "99.9%",
      "100%",
    ]);
    expect([rough(9999), rough(83_204)]).toEqual(["9,999", "83k"]);
  });
});
