import { beforeEach, expect, test } from "vitest";
import type { Method, Parameter } from "../../src/app/api";
import { fieldValue, MethodChoice } from "../../src/app/methods";
import { html } from "../../src/elements";

function parameter(given: Partial<Parameter>): Parameter {
  const plain = { name: "p", kind: "text", choices: [], default: null } as const;
  return { ...plain, type: "", words: "", ...given };
}

function typed(value: string, given: Partial<Parameter>) {
  const input = html("input", { type: "text" });
  input.value = value;
  return fieldValue(input, parameter(given));
}

test("a field without words leaves the choice to the method", () => {
  expect(typed("", { default: null })).toBe(null);
  expect(typed("  ", { kind: "number", default: 0.5 })).toBe(0.5);
});

test("None can be written", () => {
  expect(typed("None", { default: "auto" })).toBe(null);
});

test("numbers are numbers, other words are words", () => {
  expect(typed("12", { kind: "whole", default: 3 })).toBe(12);
  expect(typed("1e-3", { default: "auto" })).toBe(0.001);
  expect(typed("balanced", {})).toBe("balanced");
});

test("a choice that looks like a number stays a word", () => {
  const select = html("select", {}, html("option", { value: "2" }, "2"));
  const given = parameter({ kind: "choice", choices: ["2"], default: "2" });
  expect(fieldValue(select, given)).toBe("2");
});

test("a flag says yes or no", () => {
  const box = html("input", { type: "checkbox" });
  const given = parameter({ kind: "flag", default: true });
  expect(fieldValue(box, given)).toBe(false);
  box.checked = true;
  expect(fieldValue(box, given)).toBe(true);
});

const METHODS: Method[] = [
  {
    name: "pca",
    title: "Principal components",
    group: "map",
    words: "Neutral.",
    uses_labels: false,
    parameters: [
      parameter({ name: "whiten", kind: "flag", default: false }),
      parameter({ name: "solver", kind: "choice", choices: ["a", "b"] }),
    ],
  },
  {
    name: "svm",
    title: "Support vector machine",
    group: "classifier",
    words: "Smooth.",
    uses_labels: true,
    parameters: [parameter({ name: "C", kind: "number", default: 1 })],
  },
];

let changes = 0;
let choice: MethodChoice;
beforeEach(() => {
  changes = 0;
  choice = new MethodChoice(METHODS, () => {
    changes += 1;
  });
  document.body.replaceChildren(choice.el);
});

function field(name: string): HTMLInputElement {
  return choice.el.querySelector(`#ls-app-parameter-${name}`) as HTMLInputElement;
}

test("an order holds only what differs from the defaults", async () => {
  expect((await choice.order()).parameters).toEqual({});
  field("whiten").checked = true;
  expect((await choice.order()).parameters).toEqual({ whiten: true });
  field("solver").value = "b";
  expect(await choice.order()).toEqual({
    method: "pca",
    parameters: { whiten: true, solver: "b" },
    seed: 0,
    honesty: true,
    model: null,
  });
});

test("another card brings other parameters, and honesty is asked for maps only", async () => {
  expect(choice.el.textContent).toContain("how honest");
  choice.el.querySelector<HTMLInputElement>("[value=svm]")?.click();
  expect(changes).toBe(1);
  expect(choice.method.name).toBe("svm");
  expect(choice.el.textContent).not.toContain("how honest");
  field("C").value = "10";
  expect(await choice.order()).toMatchObject({ method: "svm", parameters: { C: 10 } });
});
