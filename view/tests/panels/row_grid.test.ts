import { expect, test } from "vitest";
import { marked, orderBy, reversed } from "../../src/panels/row_grid";

test("numbers are sorted by size, and missing ones come last both ways", () => {
  const values = [3, Number.NaN, -1, 20, 3];
  const order = orderBy(5, (i) => values[i]);
  expect([...order.points]).toEqual([2, 0, 4, 3, 1]);
  expect([...reversed(order)]).toEqual([3, 4, 0, 2, 1]);
});

test("words are sorted in any case, and by number where all of them are", () => {
  const words = ["oak", "Ash", "", "elm"];
  expect([...orderBy(4, (i) => words[i]).points]).toEqual([1, 3, 0, 2]);
  const ids = ["10", "9", "100"];
  expect([...orderBy(3, (i) => ids[i]).points]).toEqual([1, 0, 2]);
});

test("marked points keep their order", () => {
  expect([...marked(Uint32Array.of(3, 0, 2), Uint32Array.of(1, 0, 0, 1))]).toEqual([
    3, 0,
  ]);
});
