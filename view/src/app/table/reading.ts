/** How a text file is written: what could not be read of it, and what a person says. */

import { counted } from "../../scene/format";
import { visibleText } from "../../scene/text";
import { html } from "../../ui/elements";
import type { Column, Reading, Role, Table } from "../api";
import { actionButton, waited } from "../page_parts";
import type { Roles } from "./roles";

// More than these nobody reads: they most likely have the same cause.
const SHOWN = 4;
const TEXT_FILE = /\.(csv|tsv|tab|txt|data|dat)(\.gz)?$/i;

/** What a column that could not be read gives, by what it is used for. */
const ENDS: Readonly<Record<Role, string>> = {
  drop: "It is left out.",
  feature: "No feature can be made of it.",
  label: "",
  id: "",
  group: "",
};

/** `read` reads the table again, as it is written. */
export function readingPart(
  table: Table,
  roles: Roles,
  read: (reading: Reading) => Promise<void>,
): HTMLElement {
  const problems = table.columns.filter(({ problem }) => problem !== "");
  const more = problems.length - SHOWN;
  return html(
    "div",
    { class: "ls-app-reading" },
    ...problems.slice(0, SHOWN).map((column) => sentence(column, table, roles, read)),
    more > 0
      ? html("p", {}, `${counted(more, "more column", "more columns")} alike.`)
      : null,
    TEXT_FILE.test(table.name) ? fields(table.reading, read) : null,
  );
}

function sentence(
  { name, problem, odd }: Column,
  { reading }: Table,
  roles: Roles,
  read: (reading: Reading) => Promise<void>,
): HTMLElement {
  const missing_values = [...reading.missing_values, odd];
  const asMissing = `Count “${odd}” as missing`;
  const words = html("span", {});
  const el = html(
    "p",
    { class: "ls-app-problem" },
    words,
    canBeListed(odd)
      ? actionButton(asMissing, () => read({ ...reading, missing_values }))
      : null,
  );
  roles.watch(() => {
    const end = ENDS[roles.of(name)];
    words.textContent = visibleText(`${problem} ${end}`);
    el.hidden = end === ""; // classes and names are taken as they are
  });
  return el;
}

function fields(
  reading: Reading,
  read: (reading: Reading) => Promise<void>,
): HTMLElement {
  const again = () =>
    void waited(details, () =>
      read({
        decimal: decimal.value as Reading["decimal"],
        missing_values: listed(missing.value),
      }),
    );
  const decimal = html(
    "select",
    { onchange: again },
    html("option", { value: "." }, "a point: 1.5"),
    html("option", { value: "," }, "a comma: 1,5"),
  );
  decimal.value = reading.decimal;
  const missing = html("input", {
    type: "text",
    value: reading.missing_values.join(", "),
    placeholder: "-, unknown",
    onchange: again,
  });
  const isUsual = reading.decimal === "." && reading.missing_values.length === 0;
  const details: HTMLElement = html(
    "details",
    { open: !isUsual },
    html("summary", {}, "How the file is written"),
    html(
      "div",
      { class: "ls-app-common" },
      html("label", {}, "Decimal sign ", decimal),
      html("label", {}, "Also missing, besides NA, ? and such ", missing),
    ),
  );
  return details;
}

/** Whether a value is a word that may mean "missing", and not a text. */
function canBeListed(odd: string): boolean {
  return odd !== "" && odd.length <= 40 && !odd.includes(",");
}

/** The words of a list that is written with commas. */
export function listed(text: string): string[] {
  const words = text.split(",").map((word) => word.trim());
  return [...new Set(words)].filter((word) => word !== "");
}
