import type { LibraryOptions } from "vite";
import { defineConfig } from "vitest/config";
import { withLicenses } from "./licenses";

// Three files from one source: a module for hosts that import it (`view.js`), a plain
// script for the single HTML file, which may hold no modules (`page.js`), and the local
// app around it (`app.js`).
const ENTRIES: Record<string, LibraryOptions> = {
  page: {
    entry: "src/page.ts",
    formats: ["iife"],
    name: "labelscape",
    fileName: () => "page.js",
  },
  app: { entry: "src/app/main.ts", formats: ["es"], fileName: () => "app.js" },
};
const VIEW: LibraryOptions = {
  entry: "src/index.ts",
  formats: ["es"],
  fileName: () => "view.js",
};

export default defineConfig(({ mode }) => ({
  plugins: [withLicenses()],
  build: {
    outDir: "../src/labelscape/hosts/static",
    emptyOutDir: false,
    target: "es2022",
    lib: ENTRIES[mode] ?? VIEW,
  },
  // Vite leaves this name alone in libraries, and a browser has no `process`.
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  // One page for all files: making one for each takes longer than the tests.
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"], isolate: false },
}));
