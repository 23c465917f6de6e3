/** What each column of a table is for: one holds the classes, one may name the rows. */

import type { Column, Role } from "./api";

export class Roles {
  readonly #roles: Map<string, Role>;
  readonly #listeners: (() => void)[] = [];

  /** Begins with what was guessed. */
  constructor(columns: readonly Column[]) {
    this.#roles = new Map(columns.map(({ name, role }) => [name, role]));
  }

  of(name: string): Role {
    return this.#roles.get(name) ?? "feature";
  }

  /** The columns with a role. */
  all(role: Role): string[] {
    return [...this.#roles].filter(([, its]) => its === role).map(([name]) => name);
  }

  /** The column with a role that only one can have. */
  the(role: "label" | "id"): string | null {
    return this.all(role)[0] ?? null;
  }

  /** Give a column a role; whoever had one that only one can have becomes a feature. */
  assign(name: string | null, role: Role): void {
    if (role === "label" || role === "id") {
      for (const other of this.all(role)) {
        this.#roles.set(other, "feature");
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
