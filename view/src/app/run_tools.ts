/** Tools for a run: fix its table, rename it, or place new rows. */

import type { Context } from "../context";
import { html, select } from "../ui/elements";
import { api, type Order, type Reading, type Run, type Table } from "./api";
import { APP, RUN } from "./messages";
import { actionButton, goOn, waited } from "./page_parts";
import { dropZone } from "./table/reading";

type Settings = Run["settings"];

/** Actions that start another run with the same table: an audit, or a fix for the table. */
export function fixes(
  run: Run,
  wait: (begin: () => Promise<Run>) => Promise<void>,
): Pick<Context, "audit" | "fix"> {
  const { settings } = run;
  if (settings.placed_on !== null || settings.refit_of !== null) {
    return {}; // decisions refer to the rows of the original table
  }
  const audit = () => void wait(() => api.start({ ...orderOf(settings), audit: true }));
  const fix = (remedy: readonly string[]) => void wait(() => begin(settings, remedy));
  // A data set that comes with Labelscape is not a file.
  return settings.reading.label === null ? { audit } : { audit, fix };
}

async function begin(settings: Settings, remedy: readonly string[]): Promise<Run> {
  const [parameter, ...values] = remedy;
  if (parameter === "missing_values") {
    const missing_values = [
      ...new Set([...settings.reading.missing_values, ...values]),
    ];
    await api.readAgain(settings.table, { ...settings.reading, missing_values });
  }
  const reading = { ...settings.reading, ...changed(settings.reading, remedy) };
  return api.start({ ...orderOf(settings), reading });
}

/** Changes that a fix makes to how a table is read. */
export function changed(
  { drop, keep }: Settings["reading"],
  [parameter, ...values]: readonly string[],
): Reading {
  switch (parameter) {
    case "drop":
      return {
        drop: [...new Set([...drop, ...values])],
        keep: keep.filter((name) => !values.includes(String(name))),
      };
    case "copies":
      return { copies: "drop" };
    case "merge_classes":
      return { merge_classes: "case" };
    case "group":
      return { group: values[0] ?? null };
    default:
      return {};
  }
}

/** The order from which a run was started, without its name. */
function orderOf(settings: Settings): Order {
  const {
    model_name,
    positions_in,
    refit_of,
    decisions,
    placed_on,
    placed_on_name,
    ...order
  } = settings;
  return { ...order, name: "" };
}

// The title of a run, which the user can edit.

export class Naming {
  readonly el = html("div.ls-app-naming");
  readonly #title = html("h1", { tabindex: -1 });

  /** `rename` saves a name, and returns the saved name. */
  constructor(private readonly rename: (name: string) => Promise<string>) {
    this.el.append(this.#title);
  }

  show(name: string): void {
    this.#title.textContent = name;
    this.#title.title = name;
    if (this.el.isConnected) {
      document.title = APP.title(name);
    }
  }

  /** Show a text field instead of the title, until it is saved or cancelled. */
  edit(): void {
    const input = html("input", {
      type: "text",
      maxlength: 200,
      "aria-label": RUN.name,
      value: this.#title.textContent,
    });
    const back = () => {
      this.el.replaceChildren(this.#title);
      this.#title.focus();
    };
    const keep = html(
      "button",
      { type: "submit", class: "ls-app-button" },
      RUN.saveName,
    );
    const form: HTMLElement = html(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          void waited(keep, async () => {
            const name = input.value.trim();
            this.show(name ? await this.rename(name) : this.#title.title);
            back();
          });
        },
        onkeydown: (event) => (event as KeyboardEvent).key === "Escape" && back(),
      },
      input,
      keep,
      actionButton(RUN.back, back),
    );
    this.el.replaceChildren(form);
    input.select();
  }
}

// Another table for the map of a run: a file, or a table of the workspace.

/** A form to choose the rows to place; the reason if rows cannot be placed. */
export function placingPart(run: Run): HTMLElement {
  const el = html(
    "section.ls-app-placing",
    { "aria-label": RUN.placeNew, tabindex: -1 },
    html("h2", RUN.placing),
  );
  if (run.placing_note) {
    el.append(html("p", run.placing_note));
    return el;
  }
  const place = async (table: string) => {
    const placed = await api.place(run.id, table);
    goOn(el, `#/run/${placed.id}`);
  };
  const others = html("div");
  el.append(
    html("p.ls-app-quiet", RUN.placingNote),
    html("div.ls-app-load", html("div", dropZone(place)), others),
  );
  void waited(others, async () => {
    const tables = await api.tables();
    if (tables.length > 0) {
      others.append(...choice(tables, place));
    }
  });
  return el;
}

/** A list of the tables in the workspace. */
function choice(tables: readonly Table[], place: (table: string) => Promise<void>) {
  const options = tables.map(
    ({ id, name, n_rows }) => [id, RUN.tableSize(name, n_rows)] as const,
  );
  const list = select(options);
  return [
    html("label", RUN.earlier, list),
    actionButton(RUN.placeThese, () => place(list.value)),
  ];
}
