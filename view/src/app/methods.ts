/** The choice of a method: cards that say what it preserves, and its parameters. */

import { html } from "../elements";
import { type Method, type Order, type Parameter, Refusal, type Value } from "./api";
import { ModelChoice } from "./model_choice";

const GROUPS: readonly [Method["group"], string][] = [
  ["map", "Maps"],
  ["prototypes", "Prototypes that explain the classes"],
  ["classifier", "Picture of a classifier: one that is fitted for you, or your own"],
];

const BY_METHOD = "automatic";

type Choice = Pick<Order, "method" | "parameters" | "seed" | "honesty" | "model">;

export class MethodChoice {
  readonly el = html("div", { class: "ls-app-methods" });
  readonly #settings = html("div", { class: "ls-app-settings" });
  readonly #seed = html("input", { type: "number", min: 0, step: 1, value: 0 });
  readonly #honesty = html("input", { type: "checkbox", checked: true });
  readonly #fields = new Map<string, Input>();
  readonly #methods: readonly Method[];
  readonly #changed: () => void;
  #method: Method;
  #model: ModelChoice | null = null;

  /** `changed` is called when another method is chosen. */
  constructor(methods: readonly Method[], changed: () => void) {
    this.#methods = methods;
    this.#changed = changed;
    const first = methods[0];
    if (first === undefined) {
      throw new Error("The app offers no method.");
    }
    this.#method = first;
    this.el.append(
      ...GROUPS.map(([group, title]) => this.#group(group, title)),
      this.#settings,
    );
    this.#furnish();
  }

  get method(): Method {
    return this.#method;
  }

  /** What was chosen. */
  async order(): Promise<Choice> {
    const changed = this.#method.parameters
      .map((parameter): [string, Value] => [parameter.name, this.#value(parameter)])
      .filter(([name, value]) => value !== this.#default(name));
    return {
      method: this.#method.name,
      parameters: Object.fromEntries(changed),
      seed: Number(this.#seed.value) || 0,
      honesty: this.#honesty.checked,
      model: this.#model?.id ?? null,
    };
  }

  #value(parameter: Parameter): Value {
    const input = this.#fields.get(parameter.name);
    if (input === undefined) {
      return parameter.default;
    }
    if (!input.checkValidity()) {
      input.closest("details")?.setAttribute("open", "");
      input.focus();
      throw new Refusal(`${spaced(parameter.name)}: ${input.validationMessage}`);
    }
    return fieldValue(input, parameter);
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
    this.#furnish();
    this.#changed();
    if (this.#model) {
      // Below the other cards; it has to be seen, because a file is needed.
      this.#settings.scrollIntoView({ block: "nearest" });
    }
  }

  /** Show what can be set of the method. */
  #furnish(): void {
    const { title, name, group, parameters } = this.#method;
    this.#fields.clear();
    this.#model = name === "model" ? new ModelChoice() : null;
    const rows = parameters.map((parameter) => this.#field(parameter));
    const details = html(
      "details",
      {},
      html("summary", {}, `Parameters (${rows.length})`),
      ...rows,
    );
    const honesty = html(
      "label",
      {},
      this.#honesty,
      " Find out how honest the map is (fits it up to 25 times more)",
    );
    this.#settings.replaceChildren(
      html("h3", {}, title),
      this.#model?.el ?? "",
      html(
        "div",
        { class: "ls-app-common" },
        html("label", {}, "Seed ", this.#seed),
        group === "map" ? honesty : "",
      ),
      rows.length ? details : "",
    );
  }

  #field(parameter: Parameter): HTMLElement {
    const id = `ls-app-parameter-${parameter.name}`;
    const input = inputFor(parameter, id);
    this.#fields.set(parameter.name, input);
    return html(
      "div",
      { class: "ls-app-parameter" },
      html("label", { for: id }, spaced(parameter.name)),
      input,
      html("p", {}, parameter.words),
    );
  }
}

function spaced(name: string): string {
  return name.replaceAll("_", " ");
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
      parameter.default === null ? html("option", { value: "" }, BY_METHOD) : null,
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
    placeholder: parameter.default === null ? BY_METHOD : null,
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
