import { expect, it } from "vitest";
import { comparisonTable } from "../../src/panels/comparison_table";

it("shows all maps in numbers, and which of them is on the stage", () => {
  const el = comparisonTable(
    {
      columns: ["map", "T"],
      rows: [
        ["LiRaM LVQ", "0.9"],
        ["NE-XOM", "0.8"],
      ],
      words: ["T: neighbours on the map are neighbours in the data."],
    },
    "NE-XOM",
  );
  const cells = [...el.querySelectorAll("tbody td")].map((cell) => cell.textContent);
  expect(cells).toEqual(["LiRaM LVQ", "0.9", "NE-XOM", "0.8"]);
  expect(el.querySelector("strong")?.textContent).toBe("NE-XOM");
  expect(el.textContent).toContain("neighbours in the data");
});
