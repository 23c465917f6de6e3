/** Labels that look wrong: a list, which is reviewed with keys or buttons. */

import type { Context } from "../../context";
import { capitalized, number } from "../../format";
import { SUSPECTS } from "../../messages";
import { decided } from "../../scene/decisions";
import {
  besideSuspect,
  currentSuspect,
  questioned,
  suspectsOf,
} from "../../scene/marked_points";
import { inWords, objectId } from "../../scene/names";
import type { Against, Audit, Suspect } from "../../scene/scene";
import { written } from "../../scene/values";
import { choose, decide, type State, show, undoDecision } from "../../state";
import { button, html, select } from "../../ui/elements";
import { lightMark } from "../../ui/lights";
import { namedClass, note, objectLink, section, type TabPage } from "../parts";
import { decisionButtons } from "../relabel";
import { howMeasured, line, lines } from "./lines";

/** The number of suspects in the list at first, and at most. */
const FEW = 3;
const MANY = 500;
/** The number of points in the list that are not suspects. */
const REST = 10;

export class SuspectsSection {
  #isLong = false;

  constructor(private readonly page: TabPage) {}

  draw(audit: Audit, state: State): HTMLElement {
    const { suspects, assumed, look_first: rest, lights } = audit;
    const n = suspects.length;
    const isLooking = currentSuspect(this.page.context.scene, state) !== null;
    return section(
      lights[0].question,
      lines(this.#head(audit)),
      n + rest.length > 0 ? this.#steps(state) : null,
      n > 0 ? this.#list(suspects, state, FEW) : null,
      this.#more(n),
      assumed ? note(assumed) : null,
      ...(rest.length > 0
        ? [note(SUSPECTS.lookAt(n > 0)), this.#list(rest, state, n > 0 ? FEW : REST)]
        : []),
      // Files and keys are shown when the user reviews suspects.
      isLooking || state.decisions.length > 0 ? this.#files(state) : null,
      howMeasured(lights[0].measured),
    );
  }

  /** A line with the result of the label check, which selects the suspects. */
  #head({ suspects, lights: [light] }: Audit): HTMLElement {
    return line(this.page.context, {
      key: "suspects",
      mark: lightMark(light.state),
      words: capitalized(light.figure),
      meaning: light.detail,
      points: Uint32Array.from(suspects, ({ row }) => row).sort(),
    });
  }

  #steps(state: State): HTMLElement {
    const { context } = this.page;
    const { store, scene } = context;
    const suspects = suspectsOf(scene).size > 0 ? suspectsOf(scene) : questioned(scene);
    const done = [...decided(state).keys()].filter((row) => suspects.has(row)).length;
    return html(
      "div.ls-buttons.ls-steps",
      button("Previous", () => step(context, -1), {
        key: "suspect:previous",
        title: SUSPECTS.previous,
      }),
      button("Next", () => step(context, 1), {
        key: "suspect:next",
        title: SUSPECTS.next,
      }),
      button("Undo", () => undoDecision(store), {
        key: "suspect:undo",
        title: SUSPECTS.undo,
        disabled: state.decisions.length === 0,
      }),
      html("span.ls-note", { role: "status" }, SUSPECTS.decided(done, suspects.size)),
    );
  }

  /** The most suspicious points first; the list always includes the current suspect. */
  #list(suspects: readonly Suspect[], state: State, few: number): HTMLElement {
    const current = currentSuspect(this.page.context.scene, state);
    const shown = suspects.slice(0, this.#isLong ? MANY : few);
    const isBelow = current && suspects.includes(current) && !shown.includes(current);
    const listed = isBelow ? [...shown, current] : shown;
    const labels = decided(state);
    return lines(
      ...listed.map((suspect) =>
        html(
          "div.ls-suspect",
          { "data-suspect": suspect.row },
          this.#line(suspect, labels.get(suspect.row)),
          suspect === current ? this.#details(suspect) : null,
        ),
      ),
    );
  }

  #line(suspect: Suspect, label: string | undefined): HTMLElement {
    const { scene } = this.page.context;
    const { row, given, likely, chance_wrong } = suspect;
    const isKept = label === given;
    const verdict =
      label === undefined
        ? chance_wrong === null
          ? SUSPECTS.rank([...questioned(scene).keys()].indexOf(row) + 1)
          : SUSPECTS.chance(chance_wrong)
        : isKept
          ? SUSPECTS.kept
          : SUSPECTS.relabeled;
    return line(this.page.context, {
      key: `suspect:${row}`,
      words: html(
        "span.ls-pair",
        html("strong", { dir: "auto" }, objectId(scene, row)),
        namedClass(scene, given),
        html("span", { "aria-label": SUSPECTS.likely }, "→"),
        namedClass(scene, label === undefined || isKept ? likely : label),
        html("span.ls-figure", verdict),
      ),
      title: SUSPECTS.title(objectId(scene, row), given, likely, chance_wrong),
      points: Uint32Array.of(row),
    });
  }

  /** The evidence against the label, and buttons for a decision. */
  #details(suspect: Suspect): HTMLElement {
    const { row, given, likely, p_given, p_likely, against } = suspect;
    const [own, other] = [inWords(given), inWords(likely)];
    return html(
      "div.ls-suspect-details",
      this.page.media.picture(row),
      note(SUSPECTS.predicted(p_likely, other, p_given, own)),
      against.length > 0
        ? html("ul.ls-against", ...against.map((one) => this.#against(one, own, other)))
        : null,
      this.#near(SUSPECTS.similar(other), suspect.near_likely),
      this.#near(SUSPECTS.similar(own), suspect.near_given),
      this.#decisions(suspect),
    );
  }

  #against(one: Against, own: string, other: string): HTMLElement {
    const { features } = this.page.context.scene;
    const feature = features.find(({ name }) => name === one.feature);
    const words = (value: number) =>
      feature ? written(feature, value) : number(value);
    return html(
      "li",
      html("span", { dir: "auto" }, `${one.feature} = ${words(one.value)}`),
      html(
        "span.ls-meaning",
        SUSPECTS.usual(words(one.usual_likely), other, words(one.usual_given), own),
      ),
    );
  }

  #near(words: string, rows: readonly number[]): HTMLElement | null {
    const link = (row: number) =>
      objectLink(this.page, row, `near:${row}`, () => show(this.page.context, row));
    return rows.length > 0
      ? html("div.ls-note.ls-near", html("span", words), ...rows.map(link))
      : null;
  }

  /** Buttons to keep or change the label; any class may be given. */
  #decisions({ row, given, likely }: Suspect): HTMLElement {
    const { scene, store } = this.page.context;
    const give = (label: string) => {
      decide(store, row, label);
      step(this.page.context, 1);
    };
    const others = scene.classes.filter((name) => name !== given && name !== likely);
    const options = others.map((name) => [name, name] as const);
    const another = select(options, give, {
      class: "ls-select",
      "aria-label": SUSPECTS.otherClass,
      first: `${SUSPECTS.otherClass} …`,
    });
    return html(
      "div.ls-buttons",
      button(SUSPECTS.keep(given), () => give(given), {
        key: "suspect:keep",
        title: SUSPECTS.keepTitle,
      }),
      button(SUSPECTS.relabel(likely), () => give(likely), {
        key: "suspect:relabel",
        title: SUSPECTS.relabelTitle,
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
      this.page.again();
    };
    const words = this.#isLong ? SUSPECTS.fewer : SUSPECTS.more(n, MANY);
    return button(words, toggle, { key: "suspect:more" });
  }

  /** The decisions as files, and the keys. */
  #files(state: State): HTMLElement {
    const keys = SUSPECTS.keys.flatMap(([key, words]) => [html("kbd", key), words]);
    return html(
      "div",
      decisionButtons(this.page.context, state),
      html("p.ls-note", ...keys),
    );
  }
}

// Steps through the suspects, by buttons and by keys.

/** Go to the next or previous suspect. */
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

/** Handle a key, except in a text field or together with a modifier key. */
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
