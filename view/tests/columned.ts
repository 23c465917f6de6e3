/** A scene of a table with columns: two of categories, and four that are only shown. */

import type { Scene, SceneColumn } from "../src/scene/scene";
import { column, feature, madeScene, strings, tensor } from "./made_scene";

export const COLOURS = ["blue", "green", "red"];

/** Features 1 to 3 stand for a colour, feature 4 says whether the wood is soft. */
export function columnedScene(n = 60): Scene {
  const scene = madeScene({ n, d: 5 });
  const colours = Uint8Array.from({ length: n }, (_, i) => i % 3);
  colours[5] = 255;
  const truth = (name: string, is: (point: number) => boolean) =>
    feature({
      name,
      kind: "truth",
      values: Float32Array.from({ length: n }, (_, i) => Number(is(i))),
    });
  const soft = (i: number) => i % 2 === 1;
  const columns: SceneColumn[] = [
    column({
      name: "colour",
      words: COLOURS,
      codes: tensor(colours),
      features: tensor(Uint32Array.of(1, 2, 3)),
      patterns: tensor(Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), 3, 3),
    }),
    column({
      name: "wood",
      words: ["hard", "soft"],
      codes: tensor(Uint8Array.from({ length: n }, (_, i) => Number(soft(i)))),
      features: tensor(Uint32Array.of(4)),
      patterns: tensor(Float32Array.of(0, 1), 2, 1),
    }),
    column({
      name: "batch",
      words: ["a", "b"],
      codes: tensor(Uint8Array.from({ length: n }, (_, i) => Number(i >= 10))),
    }),
    column({
      name: "dose",
      numbers: feature({
        name: "dose",
        high: n - 1,
        values: Float32Array.from({ length: n }, (_, i) => i),
      }),
    }),
    column({
      name: "link",
      texts: strings(Array.from({ length: n }, (_, i) => address(i))),
    }),
    column({
      name: "note",
      texts: strings(Array.from({ length: n }, (_, i) => (i === 7 ? "Damaged" : ""))),
    }),
  ];
  return {
    ...scene,
    features: [
      scene.features[0],
      ...COLOURS.map((word, c) => truth(`colour=${word}`, (i) => colours[i] === c)),
      truth("wood=soft", soft),
    ],
    columns,
  };
}

function address(i: number): string {
  return i === 1 ? "javascript:alert(1)" : `https://trees.example/${i}`;
}
