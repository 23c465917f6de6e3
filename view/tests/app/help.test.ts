import { expect, test } from "vitest";
import { help } from "../../src/app/app";

test("help says what to do first, what every light means, and the keys", () => {
  const [opener, dialog] = help();
  expect(opener.getAttribute("aria-label")).toBe("Help");
  expect(opener.title).toContain("test results");
  const titles = Array.from(dialog.querySelectorAll("h2"), (one) => one.textContent);
  expect(titles[0]).toBe("First steps");
  expect(dialog.querySelectorAll(".ls-app-help-lights svg")).toHaveLength(4);
  expect(dialog.textContent).toContain("Escape");
});

test("it opens by its button, and is put away again", () => {
  const [opener, dialog] = help();
  document.body.replaceChildren(opener, dialog);
  opener.click();
  expect(dialog.open).toBe(true);
  dialog.querySelector("button")?.click();
  expect(dialog.open).toBe(false);
});
