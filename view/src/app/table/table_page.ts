/** A table: where its classes are, which method, and start. */

import { count, counted } from "../../scene/words/format";
import { html } from "../../ui/elements";
import {
  api,
  type Method,
  type Order,
  type Reading,
  Refusal,
  type Run,
  type Table,
} from "../api";
import { actionButton, goOn, type Page, waited } from "../page_parts";
import { columnList } from "./column_list";
import { LabelChoice } from "./label_choice";
import { MethodChoice } from "./method_choice";
import { readingPart } from "./reading";
import { Roles } from "./roles";

export class TablePage implements Page {
  readonly #el: HTMLElement;

  /** `like` is a run whose choices to begin with, or "". */
  constructor(el: HTMLElement, id: string, like = "") {
    this.#el = el;
    void waited(el, async () => {
      const [table, methods, run] = await Promise.all([
        api.table(id),
        api.methods(),
        like ? api.run(like).catch(() => null) : null, // it may be deleted
      ]);
      this.#begin(table, methods, run);
    });
  }

  destroy(): void {}

  #begin(table: Table, methods: readonly Method[], run: Run | null): void {
    const choice = new MethodChoice(methods, table.n_rows);
    const rows = rowChoice();
    const roles = new Roles(table.columns);
    if (run?.table === table.id) {
      choice.restore(run.settings);
      if (!table.embedded) {
        roles.restore(run.settings);
        rows.copies.value = run.settings.copies;
        rows.classes.value = run.settings.merge_classes ?? "";
      }
    }
    this.#show(table, roles, choice, rows);
  }

  async #readAgain(
    table: Table,
    roles: Roles,
    choice: MethodChoice,
    rows: RowChoice,
    reading: Reading,
  ): Promise<void> {
    const again = await api.readAgain(table.id, reading);
    const renewed = new Roles(again.columns);
    for (const [name, role] of roles.changes()) {
      renewed.assign(name, role);
    }
    this.#show(again, renewed, choice, rows);
  }

  #show(table: Table, roles: Roles, choice: MethodChoice, rows: RowChoice): void {
    const label = table.embedded ? null : new LabelChoice(table, roles);
    const about = html("p", { class: "ls-app-quiet", role: "status" });
    const plan = html("p", { class: "ls-app-plan" });
    const start = actionButton(
      "Start",
      () => this.#start(table, roles, choice, label, rows),
      {
        class: "ls-app-button ls-app-start",
      },
    );
    const tell = () => {
      const features = roles.all("feature");
      about.textContent = `${size(table)} ${gaps(table, features)}`;
      plan.textContent = features.length
        ? `${choice.method.title}, ${counted(features.length, "column as feature", "columns as features")}.`
        : "No column is used as a feature.";
      start.disabled = features.length === 0;
    };
    choice.watch(tell);
    roles.watch(tell);
    const columns = html(
      "details",
      { open: label !== null },
      html("summary", {}, `Columns (${count(table.n_columns)})`),
      columnList(table.columns, roles, table.has_folder),
      table.embedded ? null : rowFields(rows),
    );
    this.#el.replaceChildren(
      html("h1", { class: "ls-app-cut", title: table.name }, table.name),
      about,
      readingPart(table, roles, (how) =>
        this.#readAgain(table, roles, choice, rows, how),
      ),
      html("h2", {}, "1. Which column holds the classes?"),
      label?.el ?? html("p", {}, "They come with this data set."),
      columns,
      html("h2", {}, "2. What do you want to see?"),
      choice.el,
      html("div", { class: "ls-app-start-bar" }, plan, start),
    );
  }

  async #start(
    table: Table,
    roles: Roles,
    choice: MethodChoice,
    label: LabelChoice | null,
    rows: RowChoice,
  ): Promise<void> {
    if (label !== null && roles.the("label") === null) {
      label.focus();
      throw new Refusal("Say first which column holds the classes.");
    }
    const order = {
      table: table.id,
      label: roles.the("label"),
      id_column: roles.the("id"),
      group_column: roles.the("group"),
      drop: roles.all("drop"),
      show: roles.all("show"),
      image: roles.the("image"),
      text: roles.the("text"),
      keep: roles.kept(),
      unlabelled: "drop" as const, // the page says how many
      copies: rows.copies.value as Order["copies"],
      merge_classes: (rows.classes.value || null) as Order["merge_classes"],
      name: "",
      ...choice.order(),
    };
    try {
      const run = await api.start(order);
      if (this.#el.isConnected) {
        // Who comes back finds what was chosen.
        history.replaceState(null, "", `#/table/${table.id}/${run.id}`);
      }
      goOn(this.#el, `#/run/${run.id}`);
    } catch (error) {
      if (error instanceof Refusal) {
        choice.pointOut(error);
      }
      throw error;
    }
  }
}

/** Which rows and classes are taken for one. */
interface RowChoice {
  readonly copies: HTMLSelectElement;
  readonly classes: HTMLSelectElement;
}

function rowChoice(): RowChoice {
  return {
    copies: html(
      "select",
      {},
      html("option", { value: "keep" }, "keep all"),
      html("option", { value: "drop" }, "keep the first of each"),
    ),
    classes: html(
      "select",
      {},
      html("option", { value: "" }, "stay as they are"),
      html("option", { value: "case" }, "are one"),
    ),
  };
}

function rowFields({ copies, classes }: RowChoice): HTMLElement {
  return html(
    "div",
    { class: "ls-app-common" },
    html("label", {}, "Equal rows ", copies),
    html("label", {}, "Classes that differ in case only ", classes),
  );
}

function size({ n_rows, n_columns }: Table): string {
  return `${counted(n_rows, "row")}, ${counted(n_columns, "column")}.`;
}

/** What is missing where it matters: in the features. */
function gaps({ columns }: Table, features: readonly string[]): string {
  const used = new Set(features);
  const found = columns.filter(
    ({ name, n_missing }) => n_missing > 0 && used.has(name),
  );
  if (found.length === 0) {
    return "";
  }
  const values = found.reduce((sum, column) => sum + column.n_missing, 0);
  const where = `${counted(values, "value is", "values are")} missing in ${counted(found.length, "column")}`;
  return `${where}; the mean of the column stands in for them.`;
}
