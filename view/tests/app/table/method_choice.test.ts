import { beforeEach, expect, test } from "vitest";
import { type Method, type Parameter, Refusal } from "../../../src/app/api";
import { MethodChoice } from "../../../src/app/table/method_choice";
import {
  fieldValue,
  inputFor,
  spaced,
  wordsFor,
} from "../../../src/app/table/method_fields";
import { html } from "../../../src/ui/elements";

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

test("words that stand beside numbers are offered, and numbers can be written", () => {
  const given = parameter({ choices: ["loo", "median"], default: "loo" });
  const input = inputFor(given, "width") as HTMLInputElement;
  const words = wordsFor(given, "width");
  expect(input.getAttribute("list")).toBe(words?.id);
  expect(words?.querySelectorAll("option").length).toBe(2);
  input.value = "0.5";
  expect(fieldValue(input, given)).toBe(0.5);
  expect(wordsFor(parameter({ choices: ["auto"] }), "p")).toBe(null);
  expect(wordsFor(parameter({ kind: "choice", choices: ["a", "b"] }), "p")).toBe(null);
});

test("a parameter of a part is named after what it is part of", () => {
  expect(spaced("metric__parzen_points")).toBe("metric: parzen points");
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
    is_start: true,
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
    is_start: false,
    parameters: [
      parameter({ name: "C", kind: "number", default: 1 }),
      ...["a", "b", "c", "d", "e", "f", "g"].map((name) => parameter({ name })),
    ],
  },
];

let changes = 0;
let choice: MethodChoice;
beforeEach(() => {
  changes = 0;
  choice = new MethodChoice(METHODS);
  choice.watch(() => {
    changes += 1;
  });
  document.body.replaceChildren(choice.el);
});

function field(name: string): HTMLInputElement {
  return choice.el.querySelector(`#ls-app-parameter-${name}`) as HTMLInputElement;
}

test("an order holds only what differs from the defaults", () => {
  expect(choice.order().parameters).toEqual({});
  field("whiten").checked = true;
  expect(choice.order().parameters).toEqual({ whiten: true });
  field("solver").value = "b";
  expect(choice.order()).toEqual({
    method: "pca",
    parameters: { whiten: true, solver: "b" },
    seed: 0,
    honesty: true,
    islands: false,
    audit: true,
    model: null,
  });
});

test("another card brings other parameters, and honesty is asked for maps only", () => {
  expect(choice.el.textContent).toContain("separation is real");
  choice.el.querySelector<HTMLInputElement>("[value=svm]")?.click();
  expect(changes).toBe(1);
  expect(choice.method.name).toBe("svm");
  expect(choice.el.textContent).not.toContain("separation is real");
  field("C").value = "10";
  expect(choice.order()).toMatchObject({ method: "svm", parameters: { C: 10 } });
});

test("columns of positions are no features of a finished map", () => {
  const given = { ...(METHODS[0] as Method), name: "given" };
  const ask = new MethodChoice([
    { ...given, parameters: [parameter({ name: "positions" })] },
  ]);
  expect(ask.places).toEqual([]);
  const input = ask.el.querySelector("[type=text]") as HTMLInputElement;
  input.value = " u1, u2";
  expect(ask.places).toEqual(["u1", "u2"]);
  expect(choice.places).toEqual([]);
});

const RUN = {
  method: "svm",
  model: null,
  seed: 5,
  honesty: false,
  islands: true,
  audit: false,
};

test("what a run had is chosen again, and what it had set is unfolded", () => {
  const parameters = { C: 3, g: null };
  choice.restore({ ...RUN, parameters: { ...parameters, gone: 1 } });
  expect(changes).toBe(1);
  expect(choice.el.querySelector<HTMLInputElement>("[value=svm]")?.checked).toBe(true);
  expect(choice.order()).toEqual({ ...RUN, parameters: { C: 3 } });
  expect([...choice.el.querySelectorAll("details")].every((one) => one.open)).toBe(
    true,
  );
});

test("a method that is gone leaves the choice as it was", () => {
  choice.restore({ ...RUN, method: "gone", parameters: {} });
  expect([choice.method.name, changes]).toEqual(["pca", 0]);
});

test("rare parameters wait behind one more click, and are found by a refusal", () => {
  choice.el.querySelector<HTMLInputElement>("[value=svm]")?.click();
  const folds = [...choice.el.querySelectorAll("details")];
  const titles = folds.map((one) => one.querySelector("summary")?.textContent);
  expect(titles).toEqual(["Parameters (8)", "More (2)"]);
  expect(folds.some((one) => one.open)).toBe(false);
  choice.pointOut(new Refusal("SVM: c must be positive."));
  expect(folds.some((one) => one.open)).toBe(false);
  choice.pointOut(new Refusal("This number is too small.", "f"));
  expect(folds.every((one) => one.open)).toBe(true);
  expect(document.activeElement).toBe(field("f"));
});

test("who has no favourite is told where to start", () => {
  const marked = choice.el.querySelectorAll(".ls-app-card:has(em)");
  expect([...marked].map((card) => card.getAttribute("data-method"))).toEqual(["pca"]);
});

test("a question is answered by three cards, the others wait behind a click", () => {
  const many = ["a", "b", "c", "d", "e"].map((name) => ({
    ...METHODS[0],
    name,
    is_start: name === "e",
  }));
  const made = new MethodChoice(many);
  const cards = [...made.el.querySelectorAll<HTMLElement>(".ls-app-card")];
  expect(cards.map(({ dataset }) => dataset.method)).toEqual(["e", "a", "b", "c", "d"]);
  const hidden = cards.filter((card) => card.closest("details"));
  expect(hidden.map(({ dataset }) => dataset.method)).toEqual(["c", "d"]);
  made.restore({ ...RUN, method: "d", parameters: {} });
  expect(hidden[0].closest("details")?.open).toBe(true);
});

test("a map of three dimensions is asked for by a parameter, and other things are not", () => {
  const select = () =>
    choice.el.querySelector<HTMLSelectElement>(".ls-app-common select");
  expect(select()?.value).toBe("2");
  choice.restore({ ...RUN, method: "pca", parameters: { n_components: 3 } });
  expect(select()?.value).toBe("3");
  expect(choice.order().parameters).toEqual({ n_components: 3 });
  choice.el.querySelector<HTMLInputElement>("[value=svm]")?.click();
  expect(select()).toBeNull();
  expect(choice.order().parameters).toEqual({});
});
