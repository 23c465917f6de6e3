/** A line of the Summary: a sentence, its points, and how they were measured. */

import { choices } from "../../color/coloring";
import type { Context } from "../../context";
import { HOW_MEASURED } from "../../messages";
import { isSelection, toggleSelection } from "../../state";
import { button, type Child, html } from "../../ui/elements";

interface Line {
  readonly key: string;
  /** A mark before the words, such as that of a light, or nothing. */
  readonly mark?: Node | null;
  readonly words: Child | readonly Child[];
  readonly meaning?: string;
  /** The points that the line describes. */
  readonly points?: Uint32Array | null;
  /** An action that replaces the selection of the points. */
  readonly act?: () => void;
  readonly title?: string;
  readonly isPressed?: boolean;
}

/** A button if there are points to select or an action, otherwise only text. */
export function line({ store }: Context, given: Line): HTMLElement {
  const { key, mark = null, words, meaning, points = null, act, title } = given;
  const parts: Child[] = [
    html("span.ls-line-mark", mark),
    html(
      "span.ls-line-words",
      ...(Array.isArray(words) ? words : [words]),
      meaning ? html("span.ls-meaning", { dir: "auto" }, meaning) : null,
    ),
  ];
  if (!act && !points?.length) {
    return html("div.ls-line", { "data-line": key, title }, ...parts);
  }
  const select = () => points && toggleSelection(store, points.slice());
  const isPressed =
    given.isPressed ?? (points !== null && isSelection(store.state, points));
  return button(parts, act ?? select, {
    key,
    class: "ls-line ls-line-button",
    "data-line": key,
    "aria-pressed": act && given.isPressed === undefined ? null : String(isPressed),
    title,
  });
}

/** The action of a line about a column: color the points by the column, or undo this. */
export function coloringBy({ store, scene }: Context, column: string): Partial<Line> {
  const offered = [
    ...choices(scene, store.state.map).map(({ value }) => value),
    ...scene.features.map(({ name }) => `feature:${name}`),
  ];
  const colorBy = [`column:${column}`, `feature:${column}`].find((value) =>
    offered.includes(value),
  );
  if (colorBy === undefined) {
    return {};
  }
  const isPressed = store.state.colorBy === colorBy;
  return {
    act: () => store.set({ colorBy: isPressed ? "class" : colorBy }),
    isPressed,
  };
}

/** Several lines below each other. */
export function lines(...items: readonly Child[]): HTMLElement {
  return html(
    "ul.ls-lines",
    ...items.map((item) => (item === null ? null : html("li", item))),
  );
}

/** The paragraphs that are open, which remain open when the page is drawn again. */
const open = new Set<string>();

/** A small link that opens a paragraph below. */
export function howMeasured(paragraph: string): HTMLElement | null {
  const remember = () => open[el.open ? "add" : "delete"](paragraph);
  const el: HTMLDetailsElement = html(
    "details.ls-measured",
    { open: open.has(paragraph), ontoggle: remember },
    html("summary", { "data-key": `measured:${paragraph}` }, HOW_MEASURED),
    html("p", paragraph),
  );
  return paragraph ? el : null;
}
