/** Short help, over whatever page is open: what to do first, the lights, the keys, words. */

import type { LightState } from "../scene/lights";
import { button } from "../ui/button";
import { html } from "../ui/elements";
import { lightMark } from "../ui/lights";

const STEPS: readonly string[] = [
  "Drop a table on the first page, or take one of the examples.",
  "Say which column holds the classes: what you want to see apart.",
  "Press Start. Without a favourite, leave “The best for these data” chosen.",
  "Read the lights above the map first, then the Summary beside it.",
  "Fit another map, tick both in the list, and compare them side by side.",
];

const LIGHTS: readonly [LightState, string][] = [
  ["good", "Good: believe it."],
  ["fair", "Fair: there is something in it; look at the figures."],
  ["bad", "Bad: do not build on it."],
  ["none", "Nobody has tested it."],
];

const QUESTIONS: readonly [string, string][] = [
  [
    "Is it real?",
    "Objects that the map has never seen land among their own class, and not by chance.",
  ],
  [
    "How much is kept?",
    "The map shows most of what sets the classes apart in the data.",
  ],
];

const KEYS: readonly [string, string][] = [
  ["Tab", "goes through the page, arrows through cards and tabs"],
  ["Arrows, + and −, 0", "move the map, zoom, and show all of it"],
  ["In three dimensions", "drag and arrows turn it, right button and two fingers move"],
  ["Shift + arrows", "go from point to point; Enter chooses one, and opens it"],
  ["Shift + drag", "draws a line around points to choose them"],
  ["Escape", "puts the choice back"],
  ["N, P, K, R, U", "next and previous suspected label, keep it, change it, undo"],
];

const WORDS: readonly [string, string][] = [
  ["Object", "One row of your table: a patient, a picture, a spectrum."],
  ["Map", "All objects as points of a plane; those that are alike stand together."],
  ["Prototype", "A typical object that stands for a class, or a part of one."],
  ["Suspect", "An object whose label seems to be wrong."],
  ["Island", "A group of points with empty space around it."],
  [
    "Seed",
    "A number that decides all that is drawn by lot: the same one, the same map.",
  ],
];

/** A button that opens the help, and the help. */
export function help(): readonly [HTMLButtonElement, HTMLDialogElement] {
  const dialog: HTMLDialogElement = html(
    "dialog",
    { class: "ls-app-help", "aria-label": "Help" },
    button("Close", () => dialog.close(), { class: "ls-app-button ls-app-help-close" }),
    html("h2", {}, "What to do first"),
    html("ol", {}, ...STEPS.map((words) => html("li", {}, words))),
    html("h2", {}, "What the lights mean"),
    html(
      "ul",
      { class: "ls-app-help-lights" },
      ...LIGHTS.map(([state, words]) => html("li", {}, lightMark(state), words)),
    ),
    list(QUESTIONS),
    html("h2", {}, "Keyboard and mouse"),
    list(KEYS),
    html("h2", {}, "Words"),
    list(WORDS),
  );
  // Beside it, too, a click puts it away.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) {
      dialog.close();
    }
  });
  const opener = button("?", () => dialog.showModal(), {
    class: "ls-app-button ls-app-help-button",
    "aria-label": "Help",
    title: "Help: what to do first, what the lights mean, keys",
  });
  return [opener, dialog];
}

function list(pairs: readonly (readonly [string, string])[]): HTMLElement {
  return html(
    "dl",
    {},
    ...pairs.flatMap(([name, words]) => [html("dt", {}, name), html("dd", {}, words)]),
  );
}
