/** The lights of a picture: how far to believe it, as questions with short answers. */

import type { Honesty, Light } from "./scene";

export type LightState = Light["state"];

/** What is known of honesty: of a map in a scene, or of a run of the app. */
export interface Said {
  readonly lights?: readonly Light[];
  /** In scenes and runs of versions before 0.2. */
  readonly level?: Honesty["level"];
  readonly verdict?: string | null;
}

const REAL = "Is it real?";

const LEVELS = {
  real: { state: "good", answer: "yes" },
  mixed: { state: "fair", answer: "partly" },
  made: { state: "bad", answer: "no" },
} as const;

const UNTESTED: readonly Light[] = [
  {
    question: REAL,
    state: "none",
    answer: "not tested",
    figure: "honesty was not measured",
  },
  { question: "How much is kept?", state: "none", answer: "not tested", figure: "" },
];

/** The lights; grey ones where nothing was measured. */
export function lightsOf(said: Said | null | undefined): readonly Light[] {
  if (said?.lights?.length) {
    return said.lights;
  }
  return said?.level
    ? [{ question: REAL, ...LEVELS[said.level], figure: said.verdict ?? "" }]
    : UNTESTED;
}

/** A light in one line of text. */
export function lightWords({ question, answer, figure }: Light): string {
  return `${question} ${answer}${figure ? `: ${figure}` : ""}`;
}
