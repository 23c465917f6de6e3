/** Labels that seem to be wrong: listed, gone through by keys, kept or changed. */

import type { Context } from "../../context";
import { count, number, percent } from "../../scene/format";
import {
  besideSuspect,
  currentSuspect,
  questioned,
  suspectsOf,
} from "../../scene/marked_points";
import { inWords, objectId } from "../../scene/names";
import type { Against, Audit, Suspect } from "../../scene/scene";
import { written } from "../../scene/values";
import { choose, decide, decided, type State, undoDecision } from "../../state";
import { button, type Child, html, select } from "../../ui/elements";
import { lightMark } from "../../ui/lights";
import type { Media } from "../../ui/media";
import { namedClass, note, objectLink, section, show } from "../parts";
import { decisionButtons } from "../relabel";
import { line, lines } from "./lines";

/** How many are listed at first, and at most. */
const FEW = 3;
const MANY = 500;
/** How many points are named that are no suspects. */
const REST = 10;

export class SuspectsSection {
  readonly #context: Context;
  readonly #media: Media;
  readonly #again: () => void;
  #isLong = false;

  constructor(context: Context, media: Media, again: () => void) {
    this.#context = context;
    this.#media = media;
    this.#again = again;
  }

  draw(audit: Audit, state: State): HTMLElement {
    const { suspects, assumed } = audit;
    const rest = audit.look_first;
    return section(
      "Labels",
      lines(suspects.length > 0 ? this.#head(audit) : this.#none(audit)),
      suspects.length + rest.length > 0 ? this.#steps(state) : null,
      suspects.length > 0 ? this.#list(suspects, state, FEW) : null,
      this.#more(suspects.length),
      assumed ? note(assumed) : null,
      ...this.#rest(rest, state, suspects.length > 0),
      this.#isAtWork(state) ? this.#out(state) : null,
    );
  }

  /** Nothing stands out, which is good news, or nothing can be said, which is none. */
  #none({ can_tell, summary }: Audit): HTMLElement {
    const words = can_tell
      ? "No label stands out as wrong"
      : "Wrong labels can’t be told here";
    return line(this.#context, {
      key: "suspects",
      mark: lightMark(can_tell ? "good" : "none"),
      words: html("strong", {}, words),
      meaning: summary,
    });
  }

  /** The points that come next: few where there is a list before them. */
  #rest(rest: readonly Suspect[], state: State, isNext: boolean): Child[] {
    const when = isNext ? "next" : "first";
    const words = `Look at these ${when}, not promised, each with the chance that its label is wrong:`;
    return rest.length > 0
      ? [note(words), this.#list(rest, state, isNext ? FEW : REST)]
      : [];
  }

  /** Then files and keys are worth their room. */
  #isAtWork(state: State): boolean {
    const isLooking = currentSuspect(this.#context.scene, state) !== null;
    return isLooking || state.decisions.length > 0;
  }

  /** How many at what rate; chooses all of them. */
  #head({ suspects, expected_false, rate }: Audit): HTMLElement {
    const { scene } = this.#context;
    const n = suspects.length;
    const words = `${count(n)} of ${count(scene.n_points)} labels ${n === 1 ? "seems" : "seem"} to be wrong`;
    return line(this.#context, {
      key: "suspects",
      mark: lightMark("bad"),
      words: html("strong", {}, words),
      meaning:
        `${falseAlarms(expected_false)} of these are false alarms; ` +
        `${percent(rate)} are allowed. They are ringed on the map.`,
      points: Uint32Array.from(suspects, ({ row }) => row).sort(),
    });
  }

  #steps(state: State): HTMLElement {
    const { store, scene } = this.#context;
    const undo = button("Undo", () => undoDecision(store), {
      key: "suspect:undo",
      title: "Take back the last decision (U)",
    });
    undo.disabled = state.decisions.length === 0;
    const asked = suspectsOf(scene).size > 0 ? suspectsOf(scene) : questioned(scene);
    const done = [...decided(state).keys()].filter((row) => asked.has(row)).length;
    return html(
      "div",
      { class: "ls-buttons ls-steps" },
      button("Previous", () => step(this.#context, -1), {
        key: "suspect:previous",
        title: "The suspect before (P)",
      }),
      button("Next", () => step(this.#context, 1), {
        key: "suspect:next",
        title: "The next suspect (N)",
      }),
      undo,
      html(
        "span",
        { class: "ls-note", role: "status" },
        `${count(done)} of ${count(asked.size)} decided`,
      ),
    );
  }

  /** The most suspicious first, and in any case the one that is looked at. */
  #list(suspects: readonly Suspect[], state: State, few: number): HTMLElement {
    const current = currentSuspect(this.#context.scene, state);
    const shown = suspects.slice(0, this.#isLong ? MANY : few);
    const isBelow = current && suspects.includes(current) && !shown.includes(current);
    const listed = isBelow ? [...shown, current] : shown;
    const labels = decided(state);
    return lines(
      ...listed.map((suspect) =>
        html(
          "div",
          { class: "ls-suspect", "data-suspect": suspect.row },
          this.#line(suspect, labels.get(suspect.row)),
          suspect === current ? this.#details(suspect) : null,
        ),
      ),
    );
  }

  #line(suspect: Suspect, label: string | undefined): HTMLElement {
    const { scene } = this.#context;
    const { row, given, likely, chance_wrong } = suspect;
    const isKept = label === given;
    const verdict =
      label === undefined ? chance(chance_wrong) : isKept ? "kept" : "relabelled";
    return line(this.#context, {
      key: `suspect:${row}`,
      words: html(
        "span",
        { class: "ls-pair" },
        html("strong", { dir: "auto" }, objectId(scene, row)),
        namedClass(scene, given),
        html("span", { "aria-label": "likely" }, "→"),
        namedClass(scene, label === undefined || isKept ? likely : label),
        html("span", { class: "ls-figure" }, verdict),
      ),
      title: `${objectId(scene, row)}: ${given}, likely ${likely}; the label is wrong with a chance of ${chance(chance_wrong)}`,
      points: Uint32Array.of(row),
    });
  }

  /** What speaks against the label, and what can be done about it. */
  #details(suspect: Suspect): HTMLElement {
    const { row, given, likely, p_given, p_likely, against } = suspect;
    const [own, other] = [inWords(given), inWords(likely)];
    return html(
      "div",
      { class: "ls-suspect-details" },
      this.#media.picture(row),
      note(
        `Models that did not see it: ${percent(p_likely)} for ${other}, ${percent(p_given)} for ${own}.`,
      ),
      against.length > 0
        ? html(
            "ul",
            { class: "ls-against" },
            ...against.map((one) => this.#against(one, own, other)),
          )
        : null,
      this.#near(`Most like it, ${other}:`, suspect.near_likely),
      this.#near(`Most like it, ${own}:`, suspect.near_given),
      this.#decisions(suspect),
    );
  }

  #against(one: Against, own: string, other: string): HTMLElement {
    const { features } = this.#context.scene;
    const feature = features.find(({ name }) => name === one.feature);
    const words = (value: number) =>
      feature ? written(feature, value) : number(value);
    return html(
      "li",
      {},
      html("span", { dir: "auto" }, `${one.feature} = ${words(one.value)}`),
      html(
        "span",
        { class: "ls-meaning" },
        `usually ${words(one.usual_likely)} in ${other}, ${words(one.usual_given)} in ${own}`,
      ),
    );
  }

  #near(words: string, rows: readonly number[]): HTMLElement | null {
    const link = (row: number) =>
      objectLink(this.#context, this.#media, row, `near:${row}`, () =>
        show(this.#context, row),
      );
    return rows.length > 0
      ? html(
          "div",
          { class: "ls-note ls-near" },
          html("span", {}, words),
          ...rows.map(link),
        )
      : null;
  }

  /** Keep or change; any class may be given. */
  #decisions({ row, given, likely }: Suspect): HTMLElement {
    const { scene, store } = this.#context;
    const give = (label: string) => {
      decide(store, row, label);
      step(this.#context, 1);
    };
    const others = scene.classes.filter((name) => name !== given && name !== likely);
    const options = others.map((name) => [name, name] as const);
    const another = select(options, give, {
      class: "ls-select",
      "aria-label": "Another class",
      first: "Another class …",
    });
    return html(
      "div",
      { class: "ls-buttons" },
      button(`Keep ${given}`, () => give(given), {
        key: "suspect:keep",
        title: "The label is right (K)",
      }),
      button(`Relabel ${likely}`, () => give(likely), {
        key: "suspect:relabel",
        title: "Change it to the likely one (R)",
      }),
      others.length > 0 ? another : null,
    );
  }

  #more(n: number): HTMLElement | null {
    if (n <= FEW) {
      return null;
    }
    const toggle = () => {
      this.#isLong = !this.#isLong;
      this.#again();
    };
    const all = n > MANY ? `${count(MANY)} of ${count(n)}` : `all ${count(n)}`;
    const words = this.#isLong ? "Show fewer" : `Show ${all}`;
    return button(words, toggle, { key: "suspect:more" });
  }

  /** The decisions as files. */
  #out(state: State): HTMLElement {
    return html(
      "div",
      {},
      decisionButtons(this.#context, state),
      html(
        "p",
        { class: "ls-note" },
        ...keys("N", " next, "),
        ...keys("P", " previous, "),
        ...keys("K", " keep, "),
        ...keys("R", " relabel, "),
        ...keys("U", " undo."),
      ),
    );
  }
}

/** An estimate is never sure. */
function chance(share: number): string {
  return share > 0.99 ? "over 99 %" : percent(share);
}

function falseAlarms(share: number): string {
  return share < 0.01 ? "Fewer than 1 %" : `About ${percent(share)}`;
}

function keys(key: string, words: string): Child[] {
  return [html("kbd", {}, key), words];
}

// Going through the suspects: by buttons and, wherever one is in the view, by keys.

/** Look at the next suspect, or the one before. */
function step({ scene, store }: Context, way: 1 | -1): void {
  const row = besideSuspect(scene, store.state, way);
  if (row !== null) {
    choose(store, Uint32Array.of(row), { tab: "summary", level: "data" });
  }
}

function settle(context: Context, how: "given" | "likely"): void {
  const { scene, store } = context;
  const suspect = currentSuspect(scene, store.state);
  if (suspect) {
    decide(store, suspect.row, suspect[how]);
    step(context, 1);
  }
}

const KEYS: Readonly<Record<string, (context: Context) => void>> = {
  n: (context) => step(context, 1),
  p: (context) => step(context, -1),
  k: (context) => settle(context, "given"),
  r: (context) => settle(context, "likely"),
  u: ({ store }) => undoDecision(store),
};

/** Do what a key says; not in a text field, and not beside other keys. */
export function onSuspectKey(context: Context, event: KeyboardEvent): void {
  const isWriting =
    event.target instanceof HTMLElement &&
    event.target.matches("input, select, textarea");
  const hasOthers = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  const act = KEYS[event.key];
  const isKnown =
    questioned(context.scene).size > 0 ||
    (event.key === "u" && context.store.state.decisions.length > 0);
  if (act && !isWriting && !hasOthers && isKnown) {
    act(context);
    event.preventDefault();
    event.stopPropagation();
  }
}
