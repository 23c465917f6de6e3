/** A line of the Summary: it says something, and chooses whom it is about. */

import { choices } from "../../color/coloring";
import type { Context } from "../../context";
import { isSelection, toggleSelection } from "../../state";
import { button, type Child, html } from "../../ui/elements";

interface Line {
  readonly key: string;
  /** What stands before the words: the mark of a light, or nothing. */
  readonly mark?: Node | null;
  readonly words: Child | readonly Child[];
  readonly meaning?: string;
  /** The points that it is about. */
  readonly points?: Uint32Array | null;
  /** What it does in place of choosing. */
  readonly act?: () => void;
  readonly title?: string;
  readonly isPressed?: boolean;
}

/** A button if there are points to choose or something to do, else words alone. */
export function line({ store }: Context, given: Line): HTMLElement {
  const { key, mark = null, words, meaning, points = null, act, title } = given;
  const parts: Child[] = [
    html("span", { class: "ls-line-mark" }, mark),
    html(
      "span",
      { class: "ls-line-words" },
      ...(Array.isArray(words) ? words : [words]),
      meaning
        ? html("span", { class: "ls-meaning", dir: "auto" }, unbroken(meaning))
        : null,
    ),
  ];
  if (!act && !points?.length) {
    return html("div", { class: "ls-line", "data-line": key, title }, ...parts);
  }
  const choose = () => points && toggleSelection(store, points.slice());
  const isPressed =
    given.isPressed ?? (points !== null && isSelection(store.state, points));
  return button(parts, act ?? choose, {
    key,
    class: "ls-line ls-line-button",
    "data-line": key,
    "aria-pressed": act && given.isPressed === undefined ? null : String(isPressed),
    title,
  });
}

/** What a line does that is about a column: colours the points by it, and back. */
export function coloringBy({ store, scene }: Context, column: string): Partial<Line> {
  const kinds = ["column", "feature"];
  const offered = [
    ...choices(scene, store.state.map).map(({ value }) => value),
    ...scene.features.map(({ name }) => `feature:${name}`),
  ];
  const colorBy = kinds
    .map((kind) => `${kind}:${column}`)
    .find((value) => offered.includes(value));
  if (colorBy === undefined) {
    return {};
  }
  const isPressed = store.state.colorBy === colorBy;
  return {
    act: () => store.set({ colorBy: isPressed ? "class" : colorBy }),
    isPressed,
  };
}

/** A number stays on the line of its sign. */
function unbroken(words: string): string {
  return words.replaceAll(" %", "\u00a0%").replaceAll(" = ", "\u00a0=\u00a0");
}

/** Lines one below the other. */
export function lines(...items: readonly Child[]): HTMLElement {
  return html(
    "ul",
    { class: "ls-lines" },
    ...items.map((item) => (item === null ? null : html("li", {}, item))),
  );
}
