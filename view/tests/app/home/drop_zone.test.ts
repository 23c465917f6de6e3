import { afterEach, expect, test, vi } from "vitest";
import { dropZone } from "../../../src/app/home/drop_zone";

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
