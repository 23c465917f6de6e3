/** Parts that several pages of the side panel use. */

import type { Context, Panel } from "../context";
import { POINT } from "../messages";
import { type Field, fieldValue } from "../scene/fields";
import { classTitle, objectId, shortened } from "../scene/names";
import type { Scene } from "../scene/scene";
import { areOther, type State, show } from "../state";
import {
  button,
  type Cell,
  type Child,
  html,
  type Row,
  renew,
  table as tableElement,
} from "../ui/elements";
import { classSwatch } from "../ui/marks";
import { Media } from "../ui/media";

const LONGEST_TEXT = 120;
const LONGEST_LINK = 40;

/** A part of a page with a heading. */
export function section(title: string, ...children: Child[]): HTMLElement {
  return html("section.ls-section", html("h3", title), ...children);
}

/** An explanatory sentence. */
export function note(words: string): HTMLElement {
  return html("p.ls-note", words);
}

/** A class with its look and its name. */
export function classMark(scene: Scene, index: number): HTMLElement {
  const name = classTitle(scene, index);
  return html(
    "span.ls-class",
    { "data-class": index, title: name },
    classSwatch(scene, index),
    html("span.ls-class-name", { dir: "auto" }, name),
  );
}

/** A class with its look, given by its name. */
export function namedClass(scene: Scene, name: string): HTMLElement {
  return classMark(scene, scene.classes.indexOf(name));
}

/** The value of a point in a column; a web address becomes a link. */
export function valueCell(field: Field, object: number): Cell {
  const { words, title } = fieldValue(field, object);
  return {
    words: field.column?.texts ? textOrLink(words) : words,
    title: title ?? (words.length > LONGEST_TEXT ? words : undefined),
    attributes: { "data-column": field.name },
  };
}

/** Text, or a link if the text is a web address; other addresses could run code. */
function textOrLink(text: string): Child {
  if (!/^https?:\/\/\S+$/i.test(text)) {
    return html("span.ls-value-text", { dir: "auto" }, text);
  }
  return html(
    "a",
    { href: text, target: "_blank", rel: "noopener noreferrer", title: text },
    shortened(text, LONGEST_LINK),
  );
}

/** A choice between several buttons in a row. */
export function choice<T extends string>(
  label: string,
  options: readonly (readonly [T, string])[],
  chosen: T,
  onchoose: (option: T) => void,
): HTMLElement {
  return html(
    "div.ls-group.ls-choice",
    { role: "group", "aria-label": label },
    ...options.map(([option, words]) =>
      button(words, () => onchoose(option), {
        key: `${label}:${option}`,
        "aria-pressed": String(option === chosen),
      }),
    ),
  );
}

/** A table that scrolls if it is too wide. */
export function table(label: string, head: Row, rows: readonly Row[]): HTMLElement {
  return html(
    "div.ls-table",
    { tabindex: 0, role: "region", "aria-label": label },
    tableElement({}, head, rows),
  );
}

/** The id of a point, with its picture; hovering over it marks the point on the map. */
export function objectLink(
  { context: { scene, store }, media }: TabPage,
  object: number,
  key: string,
  open: () => void,
): HTMLElement {
  const hover = () => store.set({ hover: object });
  const leave = () => store.set({ hover: null });
  return button([media.picture(object), objectId(scene, object)], open, {
    key,
    class: "ls-link",
    "data-object": object,
    onpointerenter: hover,
    onpointerleave: leave,
    onfocus: hover,
    onblur: leave,
  });
}

/** A point as a card that opens it: picture or text, and its id. */
function objectCard(
  { context, media }: TabPage,
  role: string,
  object: number,
): HTMLElement {
  const id = objectId(context.scene, object);
  const text = media.text(object);
  return button(
    [
      html("span.ls-card-role", role),
      media.picture(object) ??
        (text === null
          ? null
          : html("span.ls-card-text", shortened(text, LONGEST_TEXT))),
      html("span.ls-card-id", id),
    ],
    () => show(context, object),
    {
      key: `card:${role}:${object}`,
      class: "ls-card",
      "data-object": object,
      title: POINT.open(id),
    },
  );
}

const ROLES = [
  ["medoid", "medoids"],
  ["most typical", "typical"],
  ["hardest", "hardest"],
] as const;

/** The points that a prototype represents, because a prototype is not a point itself. */
export function behind(page: TabPage, prototype: number): HTMLElement {
  const prototypes = page.context.scene.model?.prototypes;
  const cards = ROLES.flatMap(([role, name]) => {
    const object = prototypes?.[name].data[prototype] ?? -1;
    return object < 0 ? [] : [objectCard(page, role, object)];
  });
  return cards.length > 0 ? html("div.ls-cards", ...cards) : note(POINT.noMembers);
}

/** Width of charts before the page has a layout. */
const USUAL_WIDTH = 288;

/** The page of a tab: drawn when it is visible, and again when its width changes. */
export abstract class TabPage implements Panel {
  readonly context: Context;
  readonly media: Media;
  readonly #el: HTMLElement;
  readonly #sheet = html("div.ls-sheet");
  readonly #observer: ResizeObserver;
  /** The lists that are shown in full. */
  readonly #expanded = new Set<string>();
  #isStale = true;
  #width = 0;

  /** `names` are the parts of the state that it shows. Subclasses call `again` when ready. */
  constructor(el: HTMLElement, context: Context, names: readonly (keyof State)[]) {
    this.#el = el;
    this.context = context;
    this.media = new Media(context.scene);
    el.append(this.#sheet);
    context.store.on((state, before) => {
      this.#isStale ||= areOther(names, state, before);
      this.#show();
    });
    this.#observer = new ResizeObserver(() => {
      const width = this.#sheet.clientWidth;
      if (width > 0 && width !== this.#width) {
        this.again();
      }
    });
    this.#observer.observe(this.#sheet);
  }

  protected abstract draw(state: State, width: number): readonly Child[];

  /** Draw again: now, or as soon as the page is visible. */
  again(): void {
    this.#isStale = true;
    this.#show();
  }

  /** The first items of a list, and a button that shows the rest if there are more items. */
  firstOf<T>(
    key: string,
    all: readonly T[],
    most: number,
    names = key,
  ): readonly [readonly T[], HTMLElement | null] {
    if (all.length <= most || this.#expanded.has(key)) {
      return [all, null];
    }
    const expand = () => {
      this.#expanded.add(key);
      this.again();
    };
    const more = button(POINT.showAll(all.length, names), expand, { key });
    return [all.slice(0, most), more];
  }

  destroy(): void {
    this.#observer.disconnect();
    this.#sheet.remove();
    this.media.destroy();
  }

  #show(): void {
    if (this.#isStale && !this.#el.hidden) {
      this.#isStale = false;
      this.#width = this.#sheet.clientWidth;
      const { state } = this.context.store;
      renew(this.#sheet, this.draw(state, this.#width || USUAL_WIDTH));
    }
  }
}
