/** Fields of a method: its parameters, and a saved model. */

import { html } from "../../ui/elements";
import { api, type Parameter, Refusal, type SavedModel, type Value } from "../api";
import { HOME, METHODS } from "../messages";
import { actionButton, complain, waited } from "../page_parts";
import { FORMATS } from "./reading";

/** Open all folded parts that contain a field. */
export function reveal(input: HTMLElement): void {
  for (let el: HTMLElement | null = input; el; el = el.parentElement) {
    if (el instanceof HTMLDetailsElement) {
      el.open = true;
    }
  }
}

/** Scroll to a field, so that the bar at the bottom does not cover it. */
export function leadTo(input: HTMLElement): void {
  reveal(input);
  input.focus();
  input.scrollIntoView({ block: "center" });
}

/** A parameter name in words; the parameter of a part, as in `metric__rule`, follows the part. */
export function spaced(name: string): string {
  return name.replaceAll("__", ": ").replaceAll("_", " ");
}

export type Input = HTMLInputElement | HTMLSelectElement;

/** A list of words that a field accepts besides numbers; null if there are none. */
export function wordsFor({ kind, choices }: Parameter, id: string): HTMLElement | null {
  if (kind !== "text" || choices.length < 2) {
    return null;
  }
  const options = choices.map((choice) => html("option", { value: choice }));
  return html("datalist", { id: `${id}-words` }, ...options);
}

export function inputFor(parameter: Parameter, id: string): Input {
  if (parameter.kind === "flag") {
    return html("input", { type: "checkbox", id, checked: parameter.default === true });
  }
  if (parameter.kind === "choice") {
    const select = html(
      "select",
      { id },
      parameter.default === null
        ? html("option", { value: "" }, METHODS.automatic)
        : null,
      ...parameter.choices.map((choice) => html("option", { value: choice }, choice)),
    );
    select.value = String(parameter.default ?? "");
    return select;
  }
  const isNumber = parameter.kind !== "text";
  return html("input", {
    id,
    type: isNumber ? "number" : "text",
    step: parameter.kind === "whole" ? 1 : isNumber ? "any" : null,
    value: parameter.default === null ? "" : String(parameter.default),
    placeholder: parameter.default === null ? METHODS.automatic : null,
    list: wordsFor(parameter, id)?.id ?? null,
  });
}

/** Write a value into a field. */
export function fill(input: Input, parameter: Parameter, value: Value): void {
  if (parameter.kind === "flag") {
    (input as HTMLInputElement).checked = value === true;
  } else {
    input.value =
      value === null ? (parameter.default === null ? "" : "None") : String(value);
  }
}

/** The value of a field; an empty field means the default of the method. */
export function fieldValue(input: Input, parameter: Parameter): Value {
  if (parameter.kind === "flag") {
    return (input as HTMLInputElement).checked;
  }
  const text = input.value.trim();
  if (text === "" || text === "None") {
    return text ? null : parameter.default;
  }
  const number = Number(text);
  return parameter.kind === "choice" || Number.isNaN(number) ? text : number;
}

/** A file field for positions: the file is loaded as a table and its name is entered. */
export function positionsFile(field: Input): HTMLElement {
  const file = html("input", { type: "file", accept: FORMATS });
  const el: HTMLElement = html("label", METHODS.positionsFile, file);
  file.addEventListener("change", () => {
    const [given] = file.files ?? [];
    if (given) {
      void waited(el, async () => {
        field.value = (await api.upload(given)).name;
      });
    }
  });
  return el;
}

// A saved model whose predictions are drawn: a new file, or a model loaded earlier.

export class ModelChoice {
  readonly el = html("div.ls-app-model");
  readonly #words = html("p.ls-app-quiet", { role: "status" });
  readonly #earlier = html("select", { onchange: () => this.#chosen() });
  readonly #delete = actionButton("Delete", () => this.#remove());
  #models: readonly SavedModel[] = [];

  /** `chosen` is the id of the first model to select, if the model still exists. */
  constructor(chosen = "") {
    const file = html("input", { type: "file", accept: ".labelscape" });
    const field: HTMLElement = html("label", METHODS.modelFile, file);
    file.addEventListener("change", () => {
      const [given] = file.files ?? [];
      if (given) {
        void waited(field, async () => {
          const model = await api.uploadModel(given);
          this.#show([model, ...this.#models], model.id);
        });
      }
    });
    const earlier = html("label", METHODS.earlierModel, this.#earlier);
    this.el.append(field, earlier, this.#delete, this.#words);
    void waited(earlier, async () => this.#show(await api.models(), chosen));
  }

  /** The id of the chosen model. */
  get id(): string {
    if (this.#earlier.value === "") {
      throw new Refusal(METHODS.chooseFirst);
    }
    return this.#earlier.value;
  }

  #show(models: readonly SavedModel[], chosen: string): void {
    this.#models = models;
    this.#earlier.replaceChildren(
      html("option", { value: "" }, models.length ? METHODS.choose : METHODS.none),
      ...models.map(({ id, name }) => html("option", { value: id }, name)),
    );
    this.#earlier.value = models.some(({ id }) => id === chosen) ? chosen : "";
    this.#chosen();
  }

  async #remove(): Promise<void> {
    const model = this.#model;
    if (model && window.confirm(HOME.deleteModel(model.name))) {
      await api.removeModel(model.id);
      this.#show(
        this.#models.filter((one) => one !== model),
        "",
      );
    }
  }

  get #model(): SavedModel | undefined {
    return this.#models.find(({ id }) => id === this.#earlier.value);
  }

  #chosen(): void {
    const model = this.#model;
    this.#delete.hidden = model === undefined;
    complain(this.#delete, "");
    this.#words.textContent = model
      ? METHODS.model(model.kind, model.n_features, model.classes.join(", "))
      : METHODS.modelNote;
  }
}
