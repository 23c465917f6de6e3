/** The role of each column of a table, such as classes or names of rows. */

import type { Column, Reading, Role } from "../api";

/** A column of row numbers could reveal the classes of a sorted table. */
function guess({ role, counts_rows }: Column): Role {
  return role === "feature" && counts_rows ? "drop" : role;
}

/** Roles that only one column can have. */
type SingleRole = "label" | "id" | "group" | "image" | "text";
const SINGLE: readonly Role[] = ["label", "id", "group", "image", "text"];

/** The settings of a run about columns. */
type Given = Pick<
  Reading,
  "label" | "id" | "group" | "drop" | "show" | "image" | "text"
>;

export class Roles {
  readonly #roles: Map<string, Role>;
  readonly #guessed: ReadonlyMap<string, Role>;
  readonly #listeners: (() => void)[] = [];

  /** Starts with the detected roles. */
  constructor(columns: readonly Column[]) {
    this.#guessed = new Map(columns.map((column) => [column.name, guess(column)]));
    this.#roles = new Map(this.#guessed);
  }

  /** The roles that the user changed. */
  changes(): [string, Role][] {
    return [...this.#roles].filter(([name, role]) => this.#guessed.get(name) !== role);
  }

  /** Use the roles of an earlier run. */
  restore(run: Given): void {
    const [dropped, shown] = [new Set(run.drop), new Set(run.show)];
    for (const name of this.#roles.keys()) {
      const aside = dropped.has(name) ? "drop" : "feature";
      this.#roles.set(name, shown.has(name) ? "show" : aside);
    }
    this.assign(this.#known(run.text), "text");
    this.assign(this.#known(run.image), "image");
    this.assign(this.#known(run.id), "id");
    this.assign(this.#known(run.group), "group");
    this.assign(this.#known(run.label), "label");
  }

  #known(name: Reading["group"]): string | null {
    return typeof name === "string" && this.#roles.has(name) ? name : null;
  }

  of(name: string): Role {
    return this.#roles.get(name) ?? "feature";
  }

  /** The columns with a role. */
  all(role: Role): string[] {
    return [...this.#roles].filter(([, its]) => its === role).map(([name]) => name);
  }

  /** The column with a role that only one column can have. */
  the(role: SingleRole): string | null {
    for (const [name, its] of this.#roles) {
      if (its === role) {
        return name;
      }
    }
    return null;
  }

  /** Columns that the user made features, although another role was detected. */
  keptFeatures(): string[] {
    const aside: readonly (Role | undefined)[] = ["group", "show", "drop"];
    return this.all("feature").filter((name) =>
      aside.includes(this.#guessed.get(name)),
    );
  }

  /** Give a column a role. If only one column can have this role, the earlier column becomes
   * a feature; an earlier group column is only shown. */
  assign(name: string | null, role: Role): void {
    if (SINGLE.includes(role)) {
      for (const other of this.all(role)) {
        this.#roles.set(other, role === "group" ? "show" : "feature");
      }
    }
    if (name !== null) {
      this.#roles.set(name, role);
    }
    for (const listener of this.#listeners) {
      listener();
    }
  }

  /** Call a function now, and after each change. */
  watch(listener: () => void): void {
    this.#listeners.push(listener);
    listener();
  }
}
