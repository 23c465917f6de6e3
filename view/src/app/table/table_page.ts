/** The page of a table: choose the classes and the method, and start. */

import { html, select } from "../../ui/elements";
import { api, type Method, type Reading, Refusal, type Run, type Table } from "../api";
import { TABLE } from "../messages";
import { actionButton, goOn, type Page, waited } from "../page_parts";
import { columnList, LabelChoice } from "./columns";
import { MethodChoice } from "./method_choice";
import { readingPart } from "./reading";
import { Roles } from "./roles";

export class TablePage implements Page {
  readonly #el: HTMLElement;

  /** `like` is the id of a run whose settings are used first, or "". */
  constructor(el: HTMLElement, id: string, like = "") {
    this.#el = el;
    void waited(el, async () => {
      const [table, methods, run] = await Promise.all([
        api.table(id),
        api.methods(),
        like ? api.run(like).catch(() => null) : null, // the run may be deleted
      ]);
      this.#begin(table, methods, run);
    });
  }

  destroy(): void {}

  #begin(table: Table, methods: readonly Method[], run: Run | null): void {
    const choice = new MethodChoice(methods, table.n_rows);
    const rows = { copies: select(TABLE.copies), classes: select(TABLE.merge) };
    const roles = new Roles(table.columns);
    if (run?.table === table.id) {
      choice.restore(run.settings);
      if (!table.embedded) {
        const { reading } = run.settings;
        roles.restore(reading);
        rows.copies.value = reading.copies;
        rows.classes.value = reading.merge_classes ?? "";
      }
    }
    this.#show({ table, roles, choice, rows });
  }

  async #readAgain(chosen: Chosen, reading: Reading): Promise<void> {
    const table = await api.readAgain(chosen.table.id, reading);
    const roles = new Roles(table.columns);
    for (const [name, role] of chosen.roles.changes()) {
      roles.assign(name, role);
    }
    this.#show({ ...chosen, table, roles });
  }

  #show(chosen: Chosen): void {
    const { table, roles, choice, rows } = chosen;
    const label = table.embedded ? null : new LabelChoice(table, roles);
    const about = html("p.ls-app-quiet", { role: "status" });
    const plan = html("p.ls-app-plan");
    const start = actionButton("Start", () => this.#start(chosen, label), {
      class: "ls-app-button ls-app-start",
    });
    const tell = () => {
      const features = roles.all("feature").filter((x) => !choice.places.includes(x));
      about.textContent = `${TABLE.size(table.n_rows, table.n_columns)} ${gaps(table, features)}`;
      plan.textContent = features.length
        ? TABLE.plan(choice.method.title, features.length)
        : TABLE.noFeature;
      start.disabled = features.length === 0;
    };
    choice.watch(tell);
    choice.el.addEventListener("input", tell);
    roles.watch(tell);
    const columns = html(
      "details",
      { open: label !== null },
      html("summary", TABLE.columns(table.n_columns)),
      columnList(table.columns, roles, table.has_folder),
      table.embedded
        ? null
        : html(
            "div.ls-app-common",
            html("label", TABLE.equalRows, rows.copies),
            html("label", TABLE.caseOnly, rows.classes),
          ),
    );
    this.#el.replaceChildren(
      html("h1.ls-app-cut", { title: table.name }, table.name),
      about,
      readingPart(table, roles, (how) => this.#readAgain(chosen, how)),
      html("h2", TABLE.whichColumn),
      label?.el ?? html("p", TABLE.embedded),
      columns,
      html("h2", TABLE.whichMethod),
      choice.el,
      html("div.ls-app-start-bar", plan, start),
    );
  }

  async #start(
    { table, roles, choice, rows }: Chosen,
    label: LabelChoice | null,
  ): Promise<void> {
    if (label !== null && roles.the("label") === null) {
      label.focus();
      throw new Refusal(TABLE.chooseFirst);
    }
    const reading: Reading = {
      label: roles.the("label"),
      id: roles.the("id"),
      group: roles.the("group"),
      drop: roles.all("drop"),
      show: roles.all("show"),
      image: roles.the("image"),
      text: roles.the("text"),
      keep: roles.keptFeatures(),
      unlabelled: "drop", // the page reports their number
      copies: rows.copies.value as Table["reading"]["copies"],
      merge_classes: (rows.classes.value || null) as Table["reading"]["merge_classes"],
    };
    const order = { table: table.id, reading, name: "", ...choice.order() };
    try {
      const run = await api.start(order);
      if (this.#el.isConnected) {
        // The back button then shows the chosen settings.
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

/** A table, and the settings that the user chose. */
interface Chosen {
  readonly table: Table;
  readonly roles: Roles;
  readonly choice: MethodChoice;
  /** Fields to choose whether copies of rows and classes are merged. */
  readonly rows: Readonly<Record<"copies" | "classes", HTMLSelectElement>>;
}

/** The number of missing values in the features, in words. */
function gaps({ columns }: Table, features: readonly string[]): string {
  const used = new Set(features);
  const incomplete = columns.filter(
    ({ name, n_missing }) => n_missing > 0 && used.has(name),
  );
  const values = incomplete.reduce((sum, column) => sum + column.n_missing, 0);
  return values ? TABLE.gaps(values, incomplete.length) : "";
}
