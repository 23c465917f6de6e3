/** What each column of a table is for: one holds the classes, one may name the rows. */

import type { Column, Reading, Role } from "../api";

/** A column that counts the rows would give sorted classes away. */
function guess({ role, counts_rows }: Column): Role {
  return role === "feature" && counts_rows ? "drop" : role;
}

/** What only one column can be. */
type SingleRole = "label" | "id" | "group" | "image" | "text";
const SINGLE: readonly Role[] = ["label", "id", "group", "image", "text"];

/** What a run says of columns. */
type Given = Pick<
  Reading,
  "label" | "id" | "group" | "drop" | "show" | "image" | "text"
>;

export class Roles {
  readonly #roles: Map<string, Role>;
  readonly #guessed: ReadonlyMap<string, Role>;
  readonly #listeners: (() => void)[] = [];

  /** Begins with what was guessed. */
  constructor(columns: readonly Column[]) {
    this.#guessed = new Map(columns.map((column) => [column.name, guess(column)]));
    this.#roles = new Map(this.#guessed);
  }

  /** What a person has decided otherwise than was guessed. */
  changes(): [string, Role][] {
    return [...this.#roles].filter(([name, role]) => this.#guessed.get(name) !== role);
  }

  /** Take the roles that an earlier run had. */
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

  /** The column with a role that only one can have. */
  the(role: SingleRole): string | null {
    for (const [name, its] of this.#roles) {
      if (its === role) {
        return name;
      }
    }
    return null;
  }

  /** Columns that are features, though it was guessed that they should not be. */
  keptFeatures(): string[] {
    const aside: readonly (Role | undefined)[] = ["group", "show", "drop"];
    return this.all("feature").filter((name) =>
      aside.includes(this.#guessed.get(name)),
    );
  }

  /** Give a column a role. One that had a role for a single column loses it: it becomes
   * a feature, or is shown only if it names subjects. */
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

  /** Call something now, and after each change. */
  watch(listener: () => void): void {
    this.#listeners.push(listener);
    listener();
  }
}
