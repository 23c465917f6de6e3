/** A made scene whose table was audited: three suspects, a pair, a finding. */

import type { Audit, Light, Scene } from "../src/scene/scene";
import { madeScene, tensor } from "./made_scene";

export function audited(change: Partial<Audit> = {}): Scene {
  const scene = madeScene({ n: 60 });
  const [first, second, third] = scene.classes;
  const suspect = (row: number, likely: string, chance_wrong: number) => ({
    row,
    given: scene.classes[row % 3],
    likely,
    p_given: 0.02,
    p_likely: 0.97,
    chance_wrong,
    near_given: [row === 1 ? 4 : 1],
    near_likely: [12],
    against: [{ feature: "feature 1", value: 2, usual_given: 0.5, usual_likely: 1.75 }],
  });
  const audit: Audit = {
    rate: 0.1,
    summary: "3 labels of 60 seem to be wrong.",
    lights: auditLights("3 of 60 look wrong."),
    assumed: "",
    suspects: [
      suspect(31, third, 0.999),
      suspect(6, second, 0.9),
      suspect(20, first, 0.6),
    ],
    pairs: [{ a: second, b: third, share: 0.15, rows: tensor(Uint32Array.of(20, 31)) }],
    class_differences: [
      {
        a: second,
        b: third,
        best: [["feature 1"]],
        accuracy: [0.93],
      },
    ],
    findings: [
      {
        code: "copies",
        words: "2 rows are equal.",
        subjects: [],
        sure: "certain",
        count: 2,
        rows: tensor(Uint32Array.of(7, 9)),
        remedy: [],
      },
      {
        code: "one feature",
        words: "'feature 2' alone tells all.",
        subjects: ["feature 2"],
        sure: "likely",
        count: 1,
        rows: tensor(new Uint32Array()),
        remedy: ["drop", "feature 2"],
      },
    ],
    taken_for: tensor(
      Uint8Array.from({ length: 60 }, (_, i) => (i === 31 ? 2 : i % 3)),
    ),
    look_first: [],
    ...change,
  };
  return { ...scene, audit };
}

/** The lines of an audit, the first about its labels. */
export function auditLights(figure: string, state: Light["state"] = "fair"): Light[] {
  const light = { answer: "", detail: "", measured: "Assumes much." };
  return [
    { ...light, question: "Labels", state, figure },
    { ...light, question: "Most confused", state: "none", figure: "no two classes." },
    { ...light, question: "Best separating features", state: "none", figure: "" },
  ];
}
