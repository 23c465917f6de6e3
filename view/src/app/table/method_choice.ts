/** Choice of a method: a card for each method, and its parameters. */

import { html } from "../../ui/elements";
import { type Method, type Order, type Parameter, Refusal, type Value } from "../api";
import { TESTS } from "../api_types";
import { APP, METHODS } from "../messages";
import {
  fieldValue,
  fill,
  type Input,
  inputFor,
  leadTo,
  ModelChoice,
  positionsFile,
  reveal,
  spaced,
  wordsFor,
} from "./method_fields";
import { listed } from "./reading";

const GROUPS = ["map", "prototypes", "classifier"] as const;

// The number of cards shown first; a button shows the others.
const FIRST = 3;

// The first parameters of an estimator are the most important; a button shows the others.
// The limit on the number of iterations is always shown, because it limits the duration.
const USUAL = 6;

/** The parameter with the number of dimensions of a map. */
const DIMENSIONS = "n_components";

/** A map from another program, which is not fitted again. */
const GIVEN = "given";

/** For larger tables an audit takes minutes, so it is off by default. */
const AUDITED = 20_000;

type Test = keyof typeof TESTS;
type Choice = Pick<Order, "method" | "parameters" | "seed" | "model" | Test>;

const NAMES = Object.keys(TESTS) as Test[];

/** Return a value for each test of a run. */
function forTests<T>(value: (test: Test) => T): Record<Test, T> {
  return Object.fromEntries(NAMES.map((test) => [test, value(test)])) as Record<
    Test,
    T
  >;
}

export class MethodChoice {
  readonly el = html("div.ls-app-methods");
  readonly #settings = html("div.ls-app-settings");
  readonly #seed = html("input", { type: "number", min: 0, step: 1, value: 0 });
  readonly #dimensions = html(
    "select",
    { title: METHODS.dimensions },
    ...["2", "3"].map((value) => html("option", { value }, value)),
  );
  readonly #tests = forTests((test) =>
    html("input", { type: "checkbox", checked: TESTS[test].usual }),
  );
  readonly #fields = new Map<string, Input>();
  readonly #methods: readonly Method[];
  #method: Method;
  #model: ModelChoice | null = null;
  #changed: () => void = () => {};

  /** The defaults depend on `nRows`, the number of rows in the table. */
  constructor(methods: readonly Method[], nRows = 0) {
    this.#methods = methods;
    this.#tests.audit.checked = nRows <= AUDITED;
    const first = methods[0];
    if (first === undefined) {
      throw new Error(APP.noMethod);
    }
    this.#method = first;
    this.el.append(...GROUPS.map((group) => this.#group(group)), this.#settings);
    this.#furnish();
  }

  get method(): Method {
    return this.#method;
  }

  /** Columns that are not features, because they are the positions of a given map. */
  get places(): readonly string[] {
    return listed(this.#fields.get("positions")?.value ?? "");
  }

  /** Set the function that is called when another method is chosen. */
  watch(listener: () => void): void {
    this.#changed = listener;
  }

  /** Choose the settings of an earlier run. */
  restore(run: Choice): void {
    const method = this.#methods.find(({ name }) => name === run.method);
    if (method === undefined) {
      return;
    }
    this.#method = method;
    this.#furnish(run.model ?? "");
    for (const radio of this.el.querySelectorAll<HTMLInputElement>("[type=radio]")) {
      radio.checked = radio.value === method.name;
      if (radio.checked) {
        reveal(radio);
      }
    }
    for (const parameter of method.parameters) {
      const input = this.#fields.get(parameter.name);
      const value = run.parameters[parameter.name];
      if (input && value !== undefined) {
        fill(input, parameter, value);
        reveal(input);
      }
    }
    this.#dimensions.value = String(run.parameters[DIMENSIONS] ?? 2);
    this.#seed.value = String(run.seed);
    for (const test of NAMES) {
      this.#tests[test].checked = run[test];
    }
    this.#changed();
  }

  /** Go to the parameter that caused an error, if there is one. */
  pointOut({ parameter }: Refusal): void {
    const input = this.#fields.get(parameter ?? "");
    if (input) {
      leadTo(input);
    }
  }

  /** The chosen settings. */
  order(): Choice {
    const changed = this.#method.parameters
      .map((parameter): [string, Value] => [parameter.name, this.#value(parameter)])
      .filter(([name, value]) => value !== this.#default(name));
    const dimensions = isFitted(this.#method) ? this.#dimensions.value : "2";
    return {
      method: this.#method.name,
      parameters: {
        ...Object.fromEntries(changed),
        ...(dimensions === "2" ? {} : { [DIMENSIONS]: Number(dimensions) }),
      },
      seed: Number(this.#seed.value) || 0,
      ...forTests((test) => this.#tests[test].checked),
      model: this.#model?.id ?? null,
    };
  }

  #value(parameter: Parameter): Value {
    const input = this.#fields.get(parameter.name);
    if (input === undefined) {
      return parameter.default;
    }
    if (!input.checkValidity()) {
      leadTo(input);
      throw new Refusal(`${spaced(parameter.name)}: ${input.validationMessage}`);
    }
    return fieldValue(input, parameter);
  }

  #default(name: string): Value | undefined {
    return this.#method.parameters.find((one) => one.name === name)?.default;
  }

  #group(group: Method["group"]): HTMLElement {
    const methods = this.#methods.filter((method) => method.group === group);
    const ordered = [
      ...methods.filter(({ is_start }) => is_start),
      ...methods.filter(({ is_start }) => !is_start),
    ];
    // A button for a single card would take as much room as the card itself.
    const n = ordered.length > FIRST + 1 ? FIRST : ordered.length;
    const [first, more] = [ordered.slice(0, n), ordered.slice(n)].map((some) =>
      html("div.ls-app-cards", ...some.map((one) => this.#card(one))),
    );
    return html(
      "fieldset.ls-app-question",
      html("legend", METHODS.groups[group]),
      first,
      more.children.length ? closed(METHODS.more(more.children.length), more) : null,
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
      "label.ls-app-card",
      { "data-method": method.name },
      radio,
      html("strong", method.title),
      method === this.#methods[0] ? html("em", METHODS.recommended) : null,
      html("span", method.words),
      html("small", method.uses_labels ? METHODS.uses : METHODS.ignores),
    );
  }

  #choose(method: Method): void {
    this.#method = method;
    this.#furnish();
    this.#changed();
    if (this.#model || method.name === GIVEN) {
      // The field is below the other cards; show it, because a file is needed.
      this.#settings.scrollIntoView({ block: "nearest" });
    }
  }

  /** Show the parameters of the method. */
  #furnish(model = ""): void {
    const { title, name, parameters } = this.#method;
    this.#fields.clear();
    this.#fields.set(DIMENSIONS, this.#dimensions);
    this.#model = name === "model" ? new ModelChoice(model) : null;
    const rows = parameters.map((parameter) => this.#field(parameter));
    const isUsual = (i: number) => i < USUAL || parameters[i]?.name === "max_iter";
    const usual = rows.filter((_, i) => isUsual(i));
    const rare = rows.filter((_, i) => !isUsual(i));
    const details = closed(
      METHODS.parameters(rows.length),
      ...usual,
      // A button for a single parameter would take as much room as the parameter.
      ...(rare.length > 1
        ? [closed(METHODS.moreParameters(rare.length), ...rare)]
        : rare),
    );
    const isMap = isFitted(this.#method);
    details.open = name === GIVEN;
    this.#settings.replaceChildren(
      html("h3", title),
      this.#model?.el ?? "",
      html(
        "div.ls-app-common",
        isMap ? html("label", "Dimensions ", this.#dimensions) : "",
        html("label", { title: METHODS.seed }, "Seed ", this.#seed),
        // Every table can be audited; the other tests are for maps.
        ...NAMES.filter((test) => isMap || test === "audit").map((test) =>
          html("label", this.#tests[test], ` ${TESTS[test].label}`),
        ),
      ),
      rows.length ? details : "",
    );
  }

  #field(parameter: Parameter): HTMLElement {
    const id = `ls-app-parameter-${parameter.name}`;
    const input = inputFor(parameter, id);
    this.#fields.set(parameter.name, input);
    return html(
      "div.ls-app-parameter",
      html("label", { for: id }, spaced(parameter.name)),
      input,
      wordsFor(parameter, id),
      html("p", parameter.words),
      this.#method.name === GIVEN ? positionsFile(input) : null,
    );
  }
}

function isFitted({ group, name }: Method): boolean {
  return group === "map" && name !== GIVEN;
}

function closed(words: string, ...children: HTMLElement[]): HTMLDetailsElement {
  return html("details", html("summary", words), ...children);
}
