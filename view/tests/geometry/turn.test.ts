import { expect, test } from "vitest";
import { after, around, dragged, FIRST_TURN, rowsOf } from "../../src/geometry/space";

const NOT = around([1, 0, 0], 0);

test("a turn by a quarter around an axis takes one of the others to the third", () => {
  const [x, y, z] = rowsOf(around([0, 0, 1], Math.PI / 2));
  expect(x[1]).toBeCloseTo(-1);
  expect(y[0]).toBeCloseTo(1);
  expect(z[2]).toBeCloseTo(1);
});

test("what is in front follows a drag", () => {
  // The third column says where the place [0, 0, 1], in front of all, has gone.
  const [right, up] = rowsOf(dragged(NOT, 20, 0));
  expect(right[2]).toBeGreaterThan(0.1);
  expect(up[2]).toBeCloseTo(0);
  const [, lower] = rowsOf(dragged(NOT, 0, 20));
  expect(lower[2]).toBeLessThan(-0.1);
});

test("a drag and its way back are no turn", () => {
  const back = dragged(dragged(FIRST_TURN, 40, 0), -40, 0);
  back.forEach((part, k) => {
    expect(part).toBeCloseTo(FIRST_TURN[k]);
  });
});

test("however often it is turned, a turn stays one", () => {
  let turn = FIRST_TURN;
  for (let k = 0; k < 10_000; k++) {
    turn = after(turn, around([0.6, 0.8, 0], 0.37));
  }
  expect(Math.hypot(...turn)).toBeCloseTo(1, 12);
});
