/** Parts that the pages of the side panel have in common. */

import { classPaint, NONE } from "../color/colors";
import type { Context } from "../context";
import { classTitle, objectId, shortened } from "../scene/names";
import type { Scene } from "../scene/scene";
import { openObject } from "../state";
import { type Child, html } from "../ui/elements";
import type { Media } from "../ui/media";

const LONGEST_TEXT = 120;

/** A part of a page under a heading. */
export function section(title: string, ...children: Child[]): HTMLElement {
  return html("section", { class: "ls-section" }, html("h3", {}, title), ...children);
}

/** A sentence that explains. */
export function note(words: string): HTMLElement {
  return html("p", { class: "ls-note" }, words);
}

/** The colour of a class; grey for none (-1). */
export function colorOf(scene: Scene, index: number): string {
  return index < 0 ? NONE : classPaint(index, scene.classes.length);
}

/** A class: its colour and its name. */
export function classMark(scene: Scene, index: number): HTMLElement {
  const name = classTitle(scene, index);
  return html(
    "span",
    { class: "ls-class", "data-class": index, title: name },
    swatch(colorOf(scene, index)),
    html("span", { class: "ls-class-name", dir: "auto" }, name),
  );
}

export function swatch(color: string, opacity = 1): HTMLElement {
  const style = `background: ${color}; opacity: ${opacity}`;
  return html("span", { class: "ls-swatch", style, "aria-hidden": "true" });
}

/** A button with words. `key` finds it again after the page was drawn anew. */
export function button(
  words: string,
  key: string,
  onclick: () => void,
  attributes: Record<string, string | boolean> = {},
): HTMLButtonElement {
  return html(
    "button",
    { type: "button", class: "ls-button", "data-key": key, onclick, ...attributes },
    words,
  );
}

/** One of several, side by side. */
export function choice<T extends string>(
  label: string,
  options: readonly (readonly [T, string])[],
  chosen: T,
  onchoose: (option: T) => void,
): HTMLElement {
  return html(
    "div",
    { class: "ls-group ls-choice", role: "group", "aria-label": label },
    ...options.map(([option, words]) =>
      button(words, `${label}:${option}`, () => onchoose(option), {
        "aria-pressed": String(option === chosen),
      }),
    ),
  );
}

interface Cell {
  readonly words: Child;
  readonly numeric?: boolean;
  readonly title?: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** A table; numbers stand to the right. */
export function table(
  label: string,
  head: readonly Cell[],
  rows: readonly (readonly Cell[])[],
): HTMLElement {
  const cell = (tag: "th" | "td", { words, numeric, title, attributes }: Cell) =>
    html(tag, { class: numeric ? "ls-number" : null, title, ...attributes }, words);
  return html(
    "div",
    { class: "ls-table", tabindex: 0, role: "region", "aria-label": label },
    html(
      "table",
      {},
      html("thead", {}, html("tr", {}, ...head.map((one) => cell("th", one)))),
      html(
        "tbody",
        {},
        ...rows.map((row) => html("tr", {}, ...row.map((one) => cell("td", one)))),
      ),
    ),
  );
}

/** Show an object: at the object level where the scene has one, else beside the map. */
export function show({ scene, store }: Context, object: number): void {
  if (scene.model?.class_distances) {
    openObject(store, object);
  } else {
    store.set({ object, tab: "object" });
  }
}

/** A real object as a card that opens it: picture, else text, and its id. */
function objectCard(
  context: Context,
  media: Media,
  role: string,
  object: number,
): HTMLElement {
  const id = objectId(context.scene, object);
  const text = media.text(object);
  return html(
    "button",
    {
      type: "button",
      class: "ls-card",
      "data-object": object,
      "data-key": `card:${role}:${object}`,
      title: `Open ${id}`,
      onclick: () => show(context, object),
    },
    html("span", { class: "ls-card-role" }, role),
    media.picture(object) ??
      (text === null
        ? null
        : html("span", { class: "ls-card-text" }, shortened(text, LONGEST_TEXT))),
    html("span", { class: "ls-card-id" }, id),
  );
}

const ROLES = [
  ["medoid", "medoids"],
  ["most typical", "typical"],
  ["hardest", "hardest"],
] as const;

/** The real objects behind a prototype: a prototype has no object of its own. */
export function behind(context: Context, media: Media, prototype: number): HTMLElement {
  const prototypes = context.scene.model?.prototypes;
  const cards = ROLES.flatMap(([role, name]) => {
    const object = prototypes?.[name].data[prototype] ?? -1;
    return object < 0 ? [] : [objectCard(context, media, role, object)];
  });
  return cards.length > 0
    ? html("div", { class: "ls-cards" }, ...cards)
    : note("No object is nearest to this prototype.");
}
