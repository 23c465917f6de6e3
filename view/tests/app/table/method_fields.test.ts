import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ModelChoice } from "../../../src/app/table/method_fields";

const plain = { created: 0, kind: "GMLVQ", n_features: 1, classes: ["p", "q"] };
const MODELS = ["a", "b"].map((id) => ({ ...plain, id, name: `model ${id}` }));
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", async (path: string, { method }: { method: string }) => {
    asked.push(`${method} ${path}`);
    return {
      ok: true,
      status: method === "DELETE" ? 204 : 200,
      json: async () => MODELS,
    };
  });
  vi.stubGlobal("confirm", () => true);
});
afterEach(() => vi.unstubAllGlobals());

const settled = () => new Promise((done) => setTimeout(done, 5));

test("it begins with a model of before, which can be deleted", async () => {
  const choice = new ModelChoice("b");
  await settled();
  expect(choice.id).toBe("b");
  expect(choice.el.textContent).toContain("GMLVQ with 1 feature. Classes: p, q.");
  choice.el.querySelector("button")?.click();
  await settled();
  expect(asked).toContain("DELETE /api/models/b");
  expect(choice.el.textContent).not.toContain("model b");
  expect(choice.el.querySelector("button")?.hidden).toBe(true);
  expect(() => choice.id).toThrow("Choose the model file");
});

test("a model that is gone is not chosen", async () => {
  const choice = new ModelChoice("gone");
  await settled();
  expect(() => choice.id).toThrow("Choose the model file");
});
