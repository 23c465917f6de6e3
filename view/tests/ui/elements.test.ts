import { expect, test } from "vitest";
import { visibleText } from "../../src/format";
import { oneLine, shortened } from "../../src/scene/names";
import { svg } from "../../src/ui/elements";

test("signs that cannot be seen get one that can, on one line", () => {
  expect(oneLine("two\nlines\r\n and\ttabs ")).toBe("two lines and tabs");
  expect(oneLine("bell\u0007 \u0000 \u001b[31m \u0085 \uffff")).toBe(
    "bell\ufffd \ufffd \ufffd[31m \ufffd \ufffd",
  );
  expect(shortened("a\nvery\u0001long name", 12)).toBe("a very… name");
  expect(visibleText("kept\n\tas it is, \u{1f377} too")).toBe(
    "kept\n\tas it is, \u{1f377} too",
  );
});

test("elements hold no sign that a saved picture may not", () => {
  const el = svg("text", { "aria-label": "a\u0001" }, "b\u0002");
  const text = new XMLSerializer().serializeToString(el);
  expect(text).toContain("a\ufffd");
  expect(text).toContain("b\ufffd");
});
