import { expect, test } from "vitest";
import { shortVerdict, verdict } from "../../src/ui/verdict";

const SAID = {
  verdict: "The separation is real: neighbours agree.",
  finding: "The separation is real",
  level: "real" as const,
};

test("a verdict is its sentence, with the mark of its level", () => {
  const el = verdict(SAID);
  expect(el?.textContent).toBe(SAID.verdict);
  expect(el?.querySelector("[data-honesty=real]")).not.toBeNull();
});

test("in a list it is what was found; the pointer shows the sentence", () => {
  const el = shortVerdict(SAID);
  expect([el?.textContent, el?.title]).toEqual([SAID.finding, SAID.verdict]);
});

test("one that was not parted is shown as a whole, also in a list", () => {
  expect(shortVerdict({ ...SAID, finding: null })?.textContent).toBe(SAID.verdict);
});

test("what was not measured has no verdict", () => {
  expect([verdict({}), shortVerdict({ verdict: null })]).toEqual([null, null]);
});
