/** Entry point of the app. */

import { App } from "./app";

// The link of `labelscape serve DATA` has the table before the `#`, where it survives redirects.
const table = new URLSearchParams(location.search).get("table");
if (table !== null) {
  history.replaceState(null, "", `/#/table/${encodeURIComponent(table)}`);
}
new App(document.getElementById("labelscape") ?? document.body);
