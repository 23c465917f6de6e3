import { expect, test } from "vitest";
import type { Model } from "../../src/hosts/model";
import { Questions } from "../../src/hosts/questions";

/** A model that answers each question with these words. */
function answering(answer: Record<string, unknown>): Model {
  let hear: (message: unknown) => void = () => {};
  return {
    on: (_: string, listener: (message: unknown) => void) => {
      hear = listener;
    },
    off: () => {},
    send: ({ number }: { number: number }) => hear({ ...answer, number }),
  } as unknown as Model;
}

const EXPLAINED = { kind: "explained", contributions: [1], change: [0] };

test("an answer becomes an explanation", async () => {
  const answer = { ...EXPLAINED, change_distance: 0.5, change_class: 2 };
  expect(await new Questions(answering(answer)).explain(3)).toEqual({
    contributions: [1],
    change: [0],
    change_distance: 0.5,
    change_class: 2,
  });
});

test("where no change helps, its length is no number", async () => {
  const answer = { ...EXPLAINED, change_distance: null, change_class: 255 };
  const found = await new Questions(answering(answer)).explain(3);
  expect(found.change_distance).toBeNull();
});

test("a refusal is an error with its words", async () => {
  const asked = new Questions(answering({ kind: "refused", words: "Not now." }));
  await expect(asked.explain(3)).rejects.toThrow("Not now.");
});
