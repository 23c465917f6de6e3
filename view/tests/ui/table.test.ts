import { expect, test } from "vitest";
import { button, html, table } from "../../src/ui/elements";

test("a table has the names of its columns above, and numbers to the right", () => {
  const caption = html("caption", {}, "All runs");
  const el = table(
    { class: "made" },
    [{ words: "Run" }, { words: "share", numeric: true }],
    [
      [
        { words: button("a", () => {}) },
        { words: "0.5", numeric: true, title: "0.501" },
      ],
    ],
    caption,
  );
  expect(el.caption).toBe(caption);
  const heads = [...el.querySelectorAll("th[scope=col]")];
  expect(heads.map(({ textContent }) => textContent)).toEqual(["Run", "share"]);
  const [name, share] = el.querySelectorAll("td");
  expect(name?.querySelector("button")?.textContent).toBe("a");
  expect([share?.className, share?.title]).toEqual(["ls-number", "0.501"]);
});
