import { expect, test } from "vitest";
import { type Question, readQuestion } from "../../src/scene/question";

const NAMES = ["a", "b", "c", "sepal length (cm)", "salt and pepper", "not ripe"];

/** The longest name that stands before a sign. */
function nameAt(text: string): string | null {
  const fits = NAMES.filter(
    (name) => text.startsWith(name) && /^\s*[<>=!]/.test(text.slice(name.length)),
  );
  return fits.sort((x, y) => y.length - x.length)[0] ?? null;
}

/** A question with brackets around each of its parts. */
function bracketed(question: Question): string {
  return question.kind === "comparison"
    ? question.text
    : question.kind === "not"
      ? `not(${bracketed(question.part)})`
      : `(${question.parts.map(bracketed).join(` ${question.kind} `)})`;
}

function read(text: string): string {
  const found = readQuestion(text, nameAt);
  return "words" in found ? found.words : bracketed(found.question);
}

test("not binds more than and, and and more than or", () => {
  expect(read("a = 1 or b < 2 and c = 3")).toBe("(a = 1 or (b < 2 and c = 3))");
  expect(read("not a = 1 and b < 2")).toBe("(not(a = 1) and b < 2)");
  expect(read("not not a = 1")).toBe("not(not(a = 1))");
});

test("brackets come first, inside one another too", () => {
  expect(read("(a = 1 or b < 2) and c = 3")).toBe("((a = 1 or b < 2) and c = 3)");
  expect(read("not (a = 1 or b < 2)")).toBe("not((a = 1 or b < 2))");
  expect(read("not(a=1 or (b<2 and (c=3)))")).toBe("not((a=1 or (b<2 and c=3)))");
});

test("the words are read in any case", () => {
  expect(read("a = 1 AND NOT b = 2 Or c = 3")).toBe(
    "((a = 1 and not(b = 2)) or c = 3)",
  );
});

test("names and values may hold brackets and the words", () => {
  expect(read("(sepal length (cm) > 5 or a = 1)")).toBe(
    "(sepal length (cm) > 5 or a = 1)",
  );
  expect(read("salt and pepper < 9 and not ripe = 1")).toBe(
    "(salt and pepper < 9 and not ripe = 1)",
  );
  expect(read("a = black and white or b = oak (red)")).toBe(
    "(a = black and white or b = oak (red))",
  );
  expect(read('a = "x or b = 1" and c = 2')).toBe('(a = "x or b = 1" and c = 2)');
});

test("plain text is one comparison without a sign", () => {
  expect(read("salt and vinegar")).toBe("salt and vinegar");
  expect(read("Anna (left)")).toBe("Anna (left)");
});

test("where it can't be read, words say where and what to write", () => {
  expect(read("a = 1 and")).toContain("After “a = 1 and”, write another comparison");
  expect(read("a = 1 or (b = 2")).toBe(
    "The parenthesis of “(b = 2” is not closed: add “)”.",
  );
  expect(read("()")).toContain("In parentheses");
  expect(read("(a = 1) b = 2")).toContain("After “(a = 1)”, write “and” or “or”");
  expect(read("a = 1 and not (")).toContain("In parentheses");
});
