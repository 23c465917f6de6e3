/** Where the app begins. */

import { App } from "./app";

// The link of `labelscape serve DATA` names a table before the `#`, which cookies survive.
const table = new URLSearchParams(location.search).get("table");
if (table !== null) {
  history.replaceState(null, "", `/#/table/${encodeURIComponent(table)}`);
}
new App(document.getElementById("labelscape") ?? document.body);
