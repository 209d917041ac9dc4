// Keeps a page of the caretaker up to date. Each page works without this script, too.

import { follow } from "./live.js";
import { refresh } from "./refresh.js";

/** The longest time without a new page, in milliseconds. It covers changes without an event. */
const OLDEST = 60_000;
/** The time for which the page says that the last change was saved, in milliseconds. */
const SAVED = 15_000;

let version = Number(document.getElementById("main")?.dataset.version);
let refreshed = performance.now();
let isBusy = false;

/** @param {boolean} is */
function setOffline(is) {
  const notice = document.getElementById("offline");
  if (notice && notice.hidden === is) notice.hidden = !is;
}

/** @param {{version: number, connected: boolean}} update */
async function take(update) {
  setOffline(!update.connected);
  const isOld = update.version !== version || performance.now() - refreshed > OLDEST;
  if (!update.connected || !isOld || isBusy) return;
  isBusy = true;
  try {
    const fresh = await refresh();
    if (fresh !== undefined) version = fresh;
    refreshed = performance.now();
  } catch (error) {
    console.info("the page could not be refreshed", error);
  }
  isBusy = false;
}

// The sentence about the last change goes away after some time.
setTimeout(() => {
  const address = new URL(location.href);
  if (!address.searchParams.has("saved")) return;
  address.searchParams.delete("saved");
  address.searchParams.delete("prompt");
  history.replaceState(null, "", address);
}, SAVED);
follow((update) => { take(/** @type {any} */ (update)); }, () => setOffline(true));
