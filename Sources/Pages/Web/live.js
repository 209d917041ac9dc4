// Receives the screens as a stream of JSON lines. EventSource would hide lines that only show that the connection works.

/** The time without a line after which the screen counts as old, in milliseconds. The server sends a line every 5 s. */
export const STALE = 20_000;
/** The time between two tries to connect, in milliseconds. */
const PAUSE = 1_000;

/**
 * @typedef {object} Update
 * @property {string} [key]
 * @property {string} [html]
 * @property {string | null} [calls] the prompt that calls
 * @property {"day" | "night"} [theme]
 * @property {any} clock
 */

/**
 * Follows the stream. If the stream ends, the function connects again. The function never returns.
 * @param {(update: Update) => void} take a function that receives each update
 * @param {() => void} stale a function that is called when the last update is too old
 */
export async function follow(take, stale) {
  let timer = setTimeout(stale, STALE);
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(stale, STALE);
  };
  for (;;) {
    const abort = new AbortController();
    try {
      const reply = await fetch("/live", { signal: abort.signal });
      const reader = reply.ok ? reply.body?.getReader() : undefined;
      if (reader) await read(reader, (line) => { alive(); take(JSON.parse(line)); }, abort);
    } catch (error) {
      console.info("the connection ended", error);
    }
    abort.abort();
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/**
 * Reads lines until the stream ends, or until no byte arrives for `STALE` milliseconds.
 * @param {ReadableStreamDefaultReader<Uint8Array>} reader
 * @param {(line: string) => void} take
 * @param {AbortController} abort
 */
async function read(reader, take, abort) {
  const decoder = new TextDecoder();
  let rest = "";
  let watch = 0;
  try {
    for (;;) {
      watch = setTimeout(() => abort.abort(), STALE);
      const { done, value } = await reader.read();
      clearTimeout(watch);
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line) take(line);
    }
  } finally {
    clearTimeout(watch);
  }
}
