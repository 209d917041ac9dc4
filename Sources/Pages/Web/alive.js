// Tells the server that the browser still paints. A browser that does not is started again; see BrowserWatch.swift.

/** The time between two reports, in milliseconds. */
const PAUSE = 10_000;

/** Reports each painted frame that it asked for, for ever. A browser that hangs paints none, so it reports nothing. */
export function reportFrames() {
  // The first callback comes before the frame is painted, the second one after it.
  requestAnimationFrame(() => requestAnimationFrame(async () => {
    const abort = new AbortController();
    const limit = setTimeout(() => abort.abort(), PAUSE);
    try {
      await fetch("/alive", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: "{}", signal: abort.signal,
      });
    } catch (error) {
      console.info("the report of a painted frame did not arrive", error);
    }
    clearTimeout(limit);
    setTimeout(reportFrames, PAUSE);
  }));
}
