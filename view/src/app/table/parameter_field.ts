/** The field of a parameter: what it asks, what it says, and how the eye is led to it. */

import { html } from "../../ui/elements";
import type { Parameter, Value } from "../api";

const BY_METHOD = "automatic";

/** Open whatever a field is folded into. */
export function reveal(input: HTMLElement): void {
  for (let el: HTMLElement | null = input; el; el = el.parentElement) {
    if (el instanceof HTMLDetailsElement) {
      el.open = true;
    }
  }
}

/** Bring a field to the eye, away from the bar at the foot of the page. */
export function leadTo(input: HTMLElement): void {
  reveal(input);
  input.focus();
  input.scrollIntoView({ block: "center" });
}

/** A name in words; that of a part, such as `metric__rule`, after what it is part of. */
export function spaced(name: string): string {
  return name.replaceAll("__", ": ").replaceAll("_", " ");
}

export type Input = HTMLInputElement | HTMLSelectElement;

/** The words that a field takes beside numbers, where there are several; else null. */
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
    list: wordsFor(parameter, id)?.id ?? null,
  });
}

/** Write a value into a field, so that it says this value. */
export function fill(input: Input, parameter: Parameter, value: Value): void {
  if (parameter.kind === "flag") {
    (input as HTMLInputElement).checked = value === true;
  } else {
    input.value =
      value === null ? (parameter.default === null ? "" : "None") : String(value);
  }
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
