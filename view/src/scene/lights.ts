/** The lights of a picture: how far to believe it, as questions with short answers. */

import type { Light } from "./scene";

export type LightState = Light["state"];

/** What is known of honesty: of a map in a scene, or of a run of the app. */
export interface Said {
  readonly lights?: readonly Light[];
}

const UNTESTED: readonly Light[] = [
  {
    question: "Is it real?",
    state: "none",
    answer: "not tested",
    figure: "honesty was not measured",
  },
  { question: "How much is kept?", state: "none", answer: "not tested", figure: "" },
];

/** The lights; grey ones where nothing was measured. */
export function lightsOf(said: Said | null | undefined): readonly Light[] {
  return said?.lights?.length ? said.lights : UNTESTED;
}

/** A light in one line of text. */
export function lightWords({ question, answer, figure }: Light): string {
  return `${question} ${answer}${figure ? `: ${figure}` : ""}`;
}
