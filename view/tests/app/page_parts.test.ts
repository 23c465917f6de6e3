import { beforeEach, expect, test, vi } from "vitest";
import { Refusal } from "../../src/app/api";
import { actionButton, complain, span, waited } from "../../src/app/page_parts";
import { html } from "../../src/ui/elements";

beforeEach(() => document.body.replaceChildren());

test("a sentence stands after the control that caused it, and goes with success", async () => {
  let isWrong = true;
  const act = () => {
    if (isWrong) {
      throw new Refusal("Not now.");
    }
  };
  const one = actionButton("Go", act);
  document.body.append(html("div", {}, one));
  one.click();
  await vi.waitFor(() => expect(one.nextElementSibling?.textContent).toBe("Not now."));
  expect(one.nextElementSibling?.getAttribute("role")).toBe("alert");
  isWrong = false;
  one.click();
  await vi.waitFor(() => expect(one.nextElementSibling).toBe(null));
});

test("in a part of the page the sentence stands first", () => {
  const part = html("section", {}, html("p", {}, "more"));
  complain(part, "Gone.");
  complain(part, "Still gone.");
  expect([...part.children].map((el) => el.textContent)).toEqual([
    "Still gone.",
    "more",
  ]);
});

test("what is under way is not begun twice", async () => {
  const act = vi.fn(() => new Promise<void>((done) => setTimeout(done, 5)));
  const el = html("div");
  await Promise.all([waited(el, act), waited(el, act)]);
  expect(act).toHaveBeenCalledOnce();
  expect(el.hasAttribute("aria-busy")).toBe(false);
});

test("a mistake of the page is reported, and told in plain words", async () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  const el = html("div");
  await waited(el, () => {
    throw new TypeError("undefined is not a function");
  });
  expect(el.textContent).toBe("The page stopped because of an error. Load it again.");
  expect(reported).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test("times are told as people say them", () => {
  const told = [-1, 4.9, 125, 3780].map(span);
  expect(told).toEqual(["0 s", "4 s", "2 min 5 s", "1 h 3 min"]);
});
