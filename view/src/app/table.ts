/** A table: where its classes are, which method, and start. */

import { html } from "../elements";
import { count, counted } from "../format";
import { api, type Column, type Method, Refusal, type Table } from "./api";
import { columnList } from "./column_list";
import { LabelChoice } from "./label_choice";
import { MethodChoice } from "./methods";
import { button, type Page, waited } from "./page";
import { Roles } from "./roles";

// As long as the app takes names.
const NAME_LENGTH = 200;

export class TablePage implements Page {
  readonly #el: HTMLElement;

  constructor(el: HTMLElement, id: string) {
    this.#el = el;
    void waited(el, async () => {
      const [table, methods] = await Promise.all([api.table(id), api.methods()]);
      this.#show(table, methods);
    });
  }

  destroy(): void {}

  #show(table: Table, methods: readonly Method[]): void {
    const roles = new Roles(table.columns);
    const label = table.embedded ? null : new LabelChoice(table, roles);
    const plan = html("p", { class: "ls-app-plan" });
    const choice = new MethodChoice(methods, () => show());
    const show = () => {
      plan.textContent = `${choice.method.title}, ${counted(features(), "column")} as features.`;
    };
    const features = () => roles.all("feature").length;
    roles.watch(show);
    const start = button(
      "Start",
      async () => {
        if (label !== null && roles.the("label") === null) {
          label.focus();
          throw new Refusal("Say first which column holds the classes.");
        }
        const name = `${choice.method.title} of ${table.name}`;
        const run = await api.start({
          table: table.id,
          label: roles.the("label"),
          id_column: roles.the("id"),
          drop: roles.all("drop"),
          name: name.slice(0, NAME_LENGTH),
          ...(await choice.order()),
        });
        location.hash = `#/run/${run.id}`;
      },
      { class: "ls-app-button ls-app-start" },
    );
    const columns = html(
      "details",
      { open: label !== null },
      html("summary", {}, `Columns (${count(table.n_columns)})`),
      columnList(table.columns, roles),
    );
    this.#el.replaceChildren(
      html("h1", { class: "ls-app-cut", title: table.name }, table.name),
      html("p", { class: "ls-app-quiet" }, about(table)),
      html("h2", {}, "Classes"),
      label?.el ?? html("p", {}, "They come with this data set."),
      columns,
      html("h2", {}, "Method"),
      choice.el,
      html("div", { class: "ls-app-start-bar" }, plan, start),
    );
  }
}

function about({ n_rows, n_columns, columns }: Table): string {
  const size = `${counted(n_rows, "row")}, ${counted(n_columns, "column")}.`;
  const gaps = columns.filter((column: Column) => column.n_missing > 0);
  if (gaps.length === 0) {
    return size;
  }
  const values = gaps.reduce((sum, column) => sum + column.n_missing, 0);
  const where = `${counted(values, "value is", "values are")} missing in ${counted(gaps.length, "column")}`;
  return `${size} ${where}; the mean of the column stands in for them.`;
}
