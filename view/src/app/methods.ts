/** The choice of a method: cards that say what it preserves, and its parameters. */

import { html } from "../elements";
import { api, type Method, type Order, type Parameter, type Value } from "./api";

const GROUPS: readonly [Method["group"], string][] = [
  ["map", "Maps"],
  ["prototypes", "Prototypes that explain the classes"],
  ["classifier", "Picture of a classifier"],
];

type Choice = Pick<Order, "method" | "parameters" | "seed" | "honesty" | "model">;

export class MethodChoice {
  readonly el = html("div", { class: "ls-app-methods" });
  readonly #parameters = html("div", { class: "ls-app-parameters" });
  readonly #seed = html("input", { type: "number", min: 0, step: 1, value: 0 });
  readonly #honesty = html("input", { type: "checkbox", checked: true });
  readonly #fields = new Map<string, () => Value>();
  readonly #methods: readonly Method[];
  #method: Method;
  #modelFile: HTMLInputElement | null = null;

  constructor(methods: readonly Method[]) {
    this.#methods = methods;
    const first = methods[0];
    if (first === undefined) {
      throw new Error("The app offers no method.");
    }
    this.#method = first;
    this.el.append(
      ...GROUPS.map(([group, title]) => this.#group(group, title)),
      this.#parameters,
      html(
        "div",
        { class: "ls-app-common" },
        html("label", {}, "Seed ", this.#seed),
        html(
          "label",
          {},
          this.#honesty,
          " Find out how honest the map is (fits it up to 25 times more)",
        ),
      ),
    );
    this.#choose(first);
  }

  /** What was chosen; a model file is loaded first. */
  async order(): Promise<Choice> {
    const file = this.#modelFile?.files?.[0];
    const changed = [...this.#fields]
      .map(([name, value]): [string, Value] => [name, value()])
      .filter(([name, value]) => value !== this.#default(name));
    return {
      method: this.#method.name,
      parameters: Object.fromEntries(changed),
      seed: Number(this.#seed.value) || 0,
      honesty: this.#honesty.checked,
      model: file ? (await api.uploadModel(file)).id : null,
    };
  }

  #default(name: string): Value | undefined {
    return this.#method.parameters.find((parameter) => parameter.name === name)
      ?.default;
  }

  #group(group: Method["group"], title: string): HTMLElement {
    const methods = this.#methods.filter((method) => method.group === group);
    return html(
      "fieldset",
      { class: "ls-app-cards" },
      html("legend", {}, title),
      ...methods.map((method) => this.#card(method)),
    );
  }

  #card(method: Method): HTMLElement {
    const radio = html("input", {
      type: "radio",
      name: "ls-app-method",
      value: method.name,
      checked: method === this.#method,
      onchange: () => this.#choose(method),
    });
    return html(
      "label",
      { class: "ls-app-card", "data-method": method.name },
      radio,
      html("strong", {}, method.title),
      html("span", {}, method.words),
      html(
        "small",
        {},
        method.uses_labels ? "uses the classes" : "ignores the classes",
      ),
    );
  }

  #choose(method: Method): void {
    this.#method = method;
    this.#fields.clear();
    this.#modelFile = null;
    const rows = method.parameters.map((parameter) => this.#field(parameter));
    const details = html(
      "details",
      {},
      html("summary", {}, `Parameters of ${method.title} (${rows.length})`),
      ...rows,
    );
    this.#parameters.replaceChildren(...(rows.length ? [details] : []));
    if (method.name === "model") {
      this.#modelFile = html("input", { type: "file", accept: ".labelscape" });
      this.#parameters.append(html("label", {}, "Model file ", this.#modelFile));
    }
    this.#honesty.disabled = method.group !== "map";
  }

  #field(parameter: Parameter): HTMLElement {
    const id = `ls-app-parameter-${parameter.name}`;
    const input = inputFor(parameter, id);
    this.#fields.set(parameter.name, () => fieldValue(input, parameter));
    return html(
      "div",
      { class: "ls-app-parameter" },
      html("label", { for: id }, parameter.name.replaceAll("_", " ")),
      input,
      html("p", {}, parameter.words),
    );
  }
}

type Input = HTMLInputElement | HTMLSelectElement;

function inputFor(parameter: Parameter, id: string): Input {
  if (parameter.kind === "flag") {
    return html("input", { type: "checkbox", id, checked: parameter.default === true });
  }
  if (parameter.kind === "choice") {
    const select = html(
      "select",
      { id },
      ...parameter.choices.map((choice) => html("option", { value: choice }, choice)),
    );
    select.value = String(parameter.default);
    return select;
  }
  const isNumber = parameter.kind !== "text";
  return html("input", {
    id,
    type: isNumber ? "number" : "text",
    step: parameter.kind === "whole" ? 1 : isNumber ? "any" : null,
    value: parameter.default === null ? "" : String(parameter.default),
    placeholder: parameter.default === null ? "chosen by the method" : null,
  });
}

/** What a field says; an empty one leaves the choice to the method. */
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
