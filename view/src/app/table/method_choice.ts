/** The choice of a method: cards that say what it preserves, and its parameters. */

import { html } from "../../ui/elements";
import { type Method, type Order, type Parameter, Refusal, type Value } from "../api";
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

// The number of cards shown first; the others wait behind one more click.
const FIRST = 3;

// Estimators name first what matters most; the others wait behind one more click. How
// long a fit may take matters, wherever it is named.
const USUAL = 6;

/** The parameter of maps that says how many dimensions they have. */
const DIMENSIONS = "n_components";

/** A map that was made elsewhere: nothing of it is fitted. */
const GIVEN = "given";

/** An audit of more rows takes minutes, and is left to be asked for. */
const AUDITED = 20_000;

type Choice = Pick<
  Order,
  "method" | "parameters" | "seed" | "honesty" | "islands" | "audit" | "model"
>;

export class MethodChoice {
  readonly el = html("div.ls-app-methods");
  readonly #settings = html("div.ls-app-settings");
  readonly #seed = html("input", { type: "number", min: 0, step: 1, value: 0 });
  readonly #dimensions = html(
    "select",
    { title: METHODS.dimensions },
    ...["2", "3"].map((value) => html("option", { value }, value)),
  );
  readonly #honesty = html("input", { type: "checkbox", checked: true });
  readonly #islands = html("input", { type: "checkbox" });
  readonly #audit = html("input", { type: "checkbox", checked: true });
  readonly #fields = new Map<string, Input>();
  readonly #methods: readonly Method[];
  #method: Method;
  #model: ModelChoice | null = null;
  #changed: () => void = () => {};

  /** `nRows` of the table decide the defaults. */
  constructor(methods: readonly Method[], nRows = 0) {
    this.#methods = methods;
    this.#audit.checked = nRows <= AUDITED;
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

  /** Columns that are no features, because they are the positions of a finished map. */
  get places(): readonly string[] {
    return listed(this.#fields.get("positions")?.value ?? "");
  }

  /** Call something whenever another method is chosen, in place of what was before. */
  watch(listener: () => void): void {
    this.#changed = listener;
  }

  /** Choose what an earlier run had. */
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
    this.#honesty.checked = run.honesty;
    this.#islands.checked = run.islands;
    this.#audit.checked = run.audit;
    this.#changed();
  }

  /** Lead to the parameter that a refusal is about, if it is about one. */
  pointOut({ parameter }: Refusal): void {
    const input = this.#fields.get(parameter ?? "");
    if (input) {
      leadTo(input);
    }
  }

  /** What was chosen. */
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
      honesty: this.#honesty.checked,
      islands: this.#islands.checked,
      audit: this.#audit.checked,
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
    // One more line would be as long as the card itself.
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
      // Below the other cards; it has to be seen, because a file is needed.
      this.#settings.scrollIntoView({ block: "nearest" });
    }
  }

  /** Show what can be set of the method. */
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
      // One more line would be as long as the parameter itself.
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
        isMap ? html("label", this.#honesty, METHODS.test) : "",
        isMap ? html("label", this.#islands, METHODS.clusters) : "",
        html("label", this.#audit, METHODS.audit),
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
