import { expect, test } from "vitest";
import { button, html, renew } from "../../src/ui/elements";

test("a new list keeps the focus, or gives it to its title", () => {
  const list = html("section");
  document.body.append(list);
  const title = () => html("h2", { tabindex: -1 }, "Runs");
  const item = (key: string) => button(key, () => {}, { key });
  renew(list, [title(), null, item("a"), item("b")]);
  list.querySelector<HTMLElement>("[data-key=b]")?.focus();
  renew(list, [title(), item("b")]);
  expect(document.activeElement?.textContent).toBe("b");
  renew(list, [title()]);
  expect(document.activeElement?.textContent).toBe("Runs");
});

test("who was elsewhere stays there", () => {
  const [list, field] = [html("section"), html("input")];
  document.body.append(list, field);
  field.focus();
  renew(list, [html("h2", { tabindex: -1 }, "Runs")]);
  expect(document.activeElement).toBe(field);
});
