import { afterEach, expect, test, vi } from "vitest";
import { dropZone } from "../../../src/app/table/reading";

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const settled = () => new Promise((done) => setTimeout(done, 5));

function drop(zone: HTMLElement, name: string): Promise<unknown> {
  const event = new Event("drop");
  Object.assign(event, { dataTransfer: { files: [new File([], name)] } });
  zone.dispatchEvent(event);
  return settled();
}

test("what was wrong with a file is forgotten while the next one is read", async () => {
  const answers = [
    Promise.resolve(new Response('{"detail": "It is no table."}', { status: 422 })),
    new Promise<Response>(() => {}),
  ];
  vi.stubGlobal("fetch", () => answers.shift());
  const zone = dropZone(() => {});
  document.body.append(zone);
  const alert = () => document.querySelector("[role=alert]")?.textContent;
  await drop(zone, "wrong.csv");
  expect(alert()).toBe("It is no table.");
  await drop(zone, "right.csv");
  expect(alert()).toBeUndefined();
  expect(zone.textContent).toContain("Reading right.csv …");
});

test("how a file is written that could not be read is asked, and it is read so", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(decodeURIComponent(url));
    const refused = new Response('{"detail": "No names."}', { status: 422 });
    return Promise.resolve(asked.length === 1 ? refused : new Response('{"id": "t1"}'));
  });
  const taken = vi.fn();
  const zone = dropZone(taken);
  document.body.append(zone);
  await drop(zone, "bare.csv");
  const labels = [...document.querySelectorAll("label")];
  const first = labels.find((one) => one.textContent?.startsWith("First line"));
  const field = first?.querySelector("select") as HTMLSelectElement;
  field.value = "row";
  field.dispatchEvent(new Event("change"));
  await settled();
  expect(asked[1]).toContain('"header":false');
  expect(taken).toHaveBeenCalledWith("t1");
});

test("a file that says itself how it is written is only complained of", async () => {
  const refused = new Response('{"detail": "Damaged."}', { status: 422 });
  vi.stubGlobal("fetch", () => Promise.resolve(refused));
  const zone = dropZone(() => {});
  document.body.append(zone);
  await drop(zone, "trees.parquet");
  expect(document.querySelector("[role=alert]")?.textContent).toBe("Damaged.");
  expect(document.querySelector("select")).toBe(null);
});
