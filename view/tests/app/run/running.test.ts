import { expect, test } from "vitest";
import type { Progress } from "../../../src/app/api";
import { progressWords } from "../../../src/app/run/running";

const PROGRESS: Progress = {
  step: "fitting",
  words: "Fitting Sammon.",
  done: null,
  total: null,
  iteration: 0,
  loss: [],
  version: 0,
  has_positions: false,
};

test("a fit is its words until iterations come, then these and their loss", () => {
  expect(progressWords(PROGRESS)).toBe("Fitting Sammon.");
  expect(progressWords({ ...PROGRESS, iteration: 12 })).toBe("Iteration 12.");
  const loss = [0.5, 0.03214];
  expect(progressWords({ ...PROGRESS, iteration: 12, loss })).toBe(
    "Iteration 12, loss 0.03214.",
  );
});

test("what comes after the fit is told in its own words", () => {
  const words = "Measuring quality.";
  const after = { step: "measuring", words, iteration: 12, loss: [0.5] } as const;
  expect(progressWords({ ...PROGRESS, ...after })).toBe(words);
});
