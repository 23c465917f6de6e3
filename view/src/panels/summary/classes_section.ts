/** Which classes are mixed up, and what parts them: any two can be compared. */

import type { Context } from "../../context";
import { pointsOf } from "../../scene/audit";
import type { Audit, PartedPair } from "../../scene/scene";
import { percent } from "../../scene/words/format";
import { classOrder, classTitle, inWords } from "../../scene/words/names";
import type { State } from "../../state";
import { type Child, html } from "../../ui/elements";
import { lightMark } from "../../ui/lights";
import { differenceList } from "../differences/differences_section";
import {
  type FieldDifferences,
  fieldDifferences,
} from "../differences/field_differences";
import { classMark, note, section } from "../parts";
import { confusionTable } from "./confusion_table";
import { line, lines } from "./lines";

/** So many pairs are listed. */
const PAIRS = 5;

/** A pair of classes as a line tells of it. */
interface Pair {
  readonly a: string;
  readonly b: string;
  readonly share: number;
  readonly points: Uint32Array;
}

export class ClassesSection {
  readonly #context: Context;
  readonly #again: () => void;
  /** The classes that are compared. */
  #pair: readonly [number, number] | null = null;
  #found: (FieldDifferences & { readonly key: string }) | null = null;
  #showsAll = false;

  constructor(context: Context, again: () => void) {
    this.#context = context;
    this.#again = again;
  }

  draw(state: State): Child[] {
    const { scene } = this.#context;
    if (scene.labels === null || scene.classes.length < 2) {
      return [];
    }
    return [
      this.#mixed(scene.audit ?? null, state),
      this.#parting(scene.audit ?? null),
    ];
  }

  #mixed(audit: Audit | null, { map }: State): HTMLElement | null {
    const pairs = audit ? auditPairs(audit) : this.#pairsOnMap(map);
    if (pairs.length === 0 && !audit) {
      return null;
    }
    const nothing = {
      key: "pair",
      mark: lightMark("good"),
      words: "No two classes are mixed up.",
    };
    const items = pairs.slice(0, PAIRS).map(({ a, b, share, points }) =>
      line(this.#context, {
        key: `pair:${a}:${b}`,
        words: html(
          "span",
          { class: "ls-pair" },
          this.#class(a),
          html("span", {}, "and"),
          this.#class(b),
          html("span", { class: "ls-figure" }, percent(share)),
        ),
        points,
      }),
    );
    return section(
      "Classes that are mixed up",
      lines(...(items.length > 0 ? items : [line(this.#context, nothing)])),
      note(
        audit
          ? "The share of their objects that models take for the other one, of objects that they did not see."
          : "The share of their unseen objects that the map shows as the other one.",
      ),
      audit ? this.#confusion(audit) : null,
    );
  }

  #confusion(audit: Audit): HTMLElement | null {
    const found = confusionTable(this.#context, audit);
    const remember = () => {
      this.#showsAll = details.open;
    };
    const details = html(
      "details",
      { class: "ls-confusion", open: this.#showsAll, ontoggle: remember },
      html("summary", { "data-key": "confusion" }, "All classes"),
      found,
    );
    return found && details;
  }

  /** What the certificate of a map says, where nobody audited the table. */
  #pairsOnMap(map: number): Pair[] {
    const { scene } = this.#context;
    const pairs = scene.maps[map].honesty?.pairs ?? [];
    return pairs.map((pair) => ({
      ...pair,
      points: pointsOf(scene, this.#index(pair.a), this.#index(pair.b)),
    }));
  }

  #parting(audit: Audit | null): HTMLElement | null {
    const { scene } = this.#context;
    if (scene.features.length === 0) {
      return null;
    }
    const items = (audit?.partings ?? []).map((pair) => this.#parted(pair));
    return section(
      "What parts the classes",
      items.length > 0 ? lines(...items) : null,
      this.#comparison(),
    );
  }

  /** Chooses both classes, and compares them below. */
  #parted({ a, b, features, accuracy }: PartedPair): HTMLElement {
    const { scene, store } = this.#context;
    const pair = [this.#index(a), this.#index(b)] as const;
    const names = features.map(({ feature }) => feature).join(", ");
    const right = accuracy.at(-1);
    return line(this.#context, {
      key: `parts:${a}:${b}`,
      words: html(
        "span",
        { class: "ls-pair" },
        this.#class(a),
        html("span", {}, "from"),
        this.#class(b),
      ),
      meaning:
        right === undefined
          ? "No feature does."
          : `${names}: they tell ${percent(right)} of new objects`,
      act: () => {
        this.#pair = pair;
        store.set({ selection: pointsOf(scene, ...pair), level: "data" });
        this.#again();
      },
      isPressed: this.#pair?.[0] === pair[0] && this.#pair[1] === pair[1],
    });
  }

  /** Two classes of one's own choice. */
  #comparison(): HTMLElement {
    const { scene, store } = this.#context;
    const [a, b] = this.#pair ?? [-1, -1];
    const choose = (pair: readonly [number, number]) => {
      this.#pair = pair;
      if (pair[0] >= 0 && pair[1] >= 0) {
        store.set({ selection: pointsOf(scene, ...pair) });
      }
      this.#again();
    };
    return html(
      "div",
      { class: "ls-comparison" },
      html(
        "div",
        { class: "ls-buttons ls-steps" },
        this.#select("One class", "compare:a", a, (index) => choose([index, b])),
        html("span", {}, "from"),
        this.#select("The other class", "compare:b", b, (index) => choose([a, index])),
      ),
      ...(a >= 0 && b >= 0 && a !== b ? this.#differences(a, b) : []),
    );
  }

  #differences(a: number, b: number): HTMLElement[] {
    const { scene } = this.#context;
    // All values are looked at: once for a pair, however often the page is drawn.
    const key = `${a}:${b}`;
    this.#found =
      this.#found?.key === key ? this.#found : { key, ...this.#compared(a, b) };
    const found = this.#found;
    const [here, rest] = [a, b].map(
      (index) => `in ${inWords(classTitle(scene, index))}`,
    );
    return differenceList(found, { here, rest, one: false });
  }

  #compared(a: number, b: number): FieldDifferences {
    const { scene } = this.#context;
    const [one, other] = [pointsOf(scene, a), pointsOf(scene, b)];
    return fieldDifferences(scene, one, other);
  }

  #select(
    label: string,
    key: string,
    chosen: number,
    onchoose: (index: number) => void,
  ): HTMLElement {
    const { scene } = this.#context;
    const choose = (event: Event) =>
      onchoose(Number((event.target as HTMLSelectElement).value));
    return html(
      "select",
      { class: "ls-select", "aria-label": label, "data-key": key, onchange: choose },
      html("option", { value: -1, disabled: true, selected: chosen < 0 }, "a class"),
      ...classOrder(scene).map((index) =>
        html(
          "option",
          { value: index, selected: index === chosen },
          classTitle(scene, index),
        ),
      ),
    );
  }

  #class(name: string): HTMLElement {
    return classMark(this.#context.scene, this.#index(name));
  }

  #index(name: string): number {
    return this.#context.scene.classes.indexOf(name);
  }
}

function auditPairs({ pairs }: Audit): Pair[] {
  return pairs.map(({ rows, ...pair }) => ({ ...pair, points: rows.data }));
}
