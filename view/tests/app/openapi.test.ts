/** The types of the app's API are those of its document. */

// @vitest-environment node
import { readFileSync } from "node:fs";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import { expect, test } from "vitest";

test("openapi.ts is what `npm run types` makes of openapi.json", async () => {
  const document = JSON.parse(readFileSync("src/app/openapi.json", "utf-8"));
  const types = await openapiTS(document, {
    immutable: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  expect(readFileSync("src/app/openapi.ts", "utf-8")).toBe(
    COMMENT_HEADER + astToString(types),
  );
});
