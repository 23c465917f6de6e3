/** A field to choose one of the columns: from a list, or by typing where they are many. */

import { oneLine } from "../../scene/words/names";
import { html } from "../../ui/elements";
import type { Column } from "../api";
import { complain } from "../page_parts";

/** A browser opens a list of many thousands in half a minute. */
const MOST_LISTED = 500;
const SUGGESTED = 200;

interface ColumnField {
  readonly el: HTMLElement;
  /** Show what is chosen; null is no column. */
  show(name: string | null): void;
}

/** `choose` is told the name of a column, or null; `none` is what null is called. */
export function columnField(
  columns: readonly Column[],
  none: string,
  choose: (name: string | null) => void,
): ColumnField {
  return columns.length > MOST_LISTED
    ? typedField(columns, none, choose)
    : listField(columns, none, choose);
}

function listField(
  columns: readonly Column[],
  none: string,
  choose: (name: string | null) => void,
): ColumnField {
  // By number: a column may be called anything, also nothing.
  const el: HTMLSelectElement = html(
    "select",
    { onchange: () => choose(columns[Number(el.value)]?.name ?? null) },
    html("option", { value: -1 }, none),
    ...columns.map(({ name }, i) => html("option", { value: i }, name)),
  );
  const show = (name: string | null) => {
    el.value = String(columns.findIndex((column) => column.name === name));
  };
  return { el, show };
}

function typedField(
  columns: readonly Column[],
  none: string,
  choose: (name: string | null) => void,
): ColumnField {
  const list = html("datalist", { id: `ls-app-columns-${++made}` });
  const suggest = () => {
    const options = columnsCalled(columns, input.value).slice(0, SUGGESTED);
    list.replaceChildren(
      ...options.map(({ name }) => html("option", { value: oneLine(name) })),
    );
  };
  let chosen = "";
  const input: HTMLInputElement = html("input", {
    type: "text",
    list: list.id,
    placeholder: none,
    autocomplete: "off",
    oninput: suggest,
    onchange: () => {
      const words = oneLine(input.value);
      const found = columns.find(({ name }) => oneLine(name) === words);
      const isWrong = words !== "" && found === undefined;
      complain(input, isWrong ? `There is no column “${words}”.` : "");
      if (isWrong) {
        input.value = chosen;
      } else {
        choose(found?.name ?? null);
      }
      suggest();
    },
  });
  suggest();
  const show = (name: string | null) => {
    chosen = oneLine(name ?? "");
    input.value = chosen;
  };
  return { el: html("span", {}, input, list), show };
}

/** The columns with this in their names, in any case. */
export function columnsCalled(
  columns: readonly Column[],
  words: string,
): readonly Column[] {
  const wanted = oneLine(words).toLowerCase();
  return wanted === ""
    ? columns
    : columns.filter(({ name }) => oneLine(name).toLowerCase().includes(wanted));
}

let made = 0;
