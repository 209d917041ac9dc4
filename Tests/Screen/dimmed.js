// Tests two kinds of touches that must not count: touches that begin on the previous screen (the dark clock of the
// night, or a different task), and touches that begin too early on the new screen. The script sends the screens to
// the real page in a stream, so that no test must wait. Returns a list of faults.
async ({ mm, tries, seed, dark, lit }) => {
  const faults = [];
  const random = () => {  // mulberry32
    seed = seed + 0x6D2B79F5 | 0;
    let x = Math.imul(seed ^ seed >>> 15, 1 | seed);
    x = x + Math.imul(x ^ x >>> 7, 61 | x) ^ x;
    return ((x ^ x >>> 14) >>> 0) / 4294967296;
  };
  const between = (from, to) => from + (to - from) * random();
  const settle = async () => { for (let turn = 0; turn < 6; turn += 1) await Promise.resolve(); };

  const realFetch = globalThis.fetch;
  const encoder = new TextEncoder();
  let sent = [];
  let stream;
  const isConnected = new Promise((resolve) => {
    globalThis.fetch = async (path, options) => {
      if (path === "/live") return new Response(new ReadableStream({ start: (one) => { stream = one; resolve(); } }));
      if (path !== "/answer") return realFetch(path, options);
      sent.push(JSON.parse(options.body).answer);
      return new Response(null, { status: 409 });
    };
  });
  // Tell the server of the test to end its stream. After this, the page connects again.
  await realFetch("/end");
  await isConnected;

  let number = 0;
  // The page replaced the previous screen after the time `before` and before the time `since`.
  let before = 0;
  let since = 0;
  const screen = document.getElementById("screen");
  /** Shows a screen. */
  const show = (update) => new Promise((resolve) => {
    number += 1;
    const observer = new MutationObserver(() => {
      observer.disconnect();
      since = performance.now();
      resolve();
    });
    observer.observe(screen, { childList: true });
    before = performance.now();
    // The page does not replace a screen with an equal screen. Therefore, make each screen different.
    const html = update.html.replace("<section ", `<section data-shown="${number}" `);
    stream.enqueue(encoder.encode(`${JSON.stringify({ ...update, html, key: `${update.key} ${number}` })}\n`));
  });
  const fire = (kind, [x, y], id, time) => {
    const event = new PointerEvent(kind, { clientX: x, clientY: y, pointerId: id, pointerType: "touch", bubbles: true, cancelable: true });
    Object.defineProperty(event, "timeStamp", { value: time });
    (document.elementFromPoint(x, y) ?? document.body).dispatchEvent(event);
  };
  const center = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  await show(lit);
  const places = [...document.querySelectorAll("[data-answer]")].map(center);
  const thumb = center(document.querySelector("[data-thumb]"));
  const near = ([x, y]) => [x + between(-6, 6) * mm, y + between(-6, 6) * mm];
  const onControl = () => near(places[Math.floor(random() * places.length)]);
  const anywhere = () => [between(5, innerWidth - 5), between(5, innerHeight - 5)];

  const kinds = {
    "a touch on the dark screen": async () => {
      const place = random() < 0.7 ? onControl() : anywhere();
      fire("pointerdown", place, 1, since + between(0, 3_000));
      fire("pointerup", place, 1, since + between(3_060, 4_000));
      await show(lit);
    },
    "a finger that is on the dark screen when the ring lights it up": async () => {
      const place = onControl();
      fire("pointerdown", place, 1, since + between(0, 5_000));
      await show(lit);
      fire("pointerup", place, 1, since + between(0, 3_000));
    },
    "a finger that slides from the dark screen to an end": async () => {
      fire("pointerdown", random() < 0.5 ? thumb : anywhere(), 1, since + between(0, 5_000));
      await show(lit);
      fire("pointermove", thumb, 1, since + between(0, 300));
      const goal = onControl();
      fire("pointermove", goal, 1, since + 800);
      fire("pointerup", goal, 1, since + between(900, 3_000));
    },
    "a finger that is on the same end of the task before": async () => {
      await show(lit);
      const place = random() < 0.3 ? thumb : onControl();
      fire("pointerdown", place, 1, since + between(800, 3_000));
      await show(lit);
      fire("pointermove", place, 1, since + 100);
      const goal = random() < 0.5 ? place : onControl();
      fire("pointerup", goal, 1, since + between(60, 3_000));
    },
    "two fingers, one of them on the dark screen": async () => {
      fire("pointerdown", anywhere(), 1, since + between(0, 5_000));
      await show(lit);
      const place = onControl();
      fire("pointerdown", place, 2, since + between(700, 2_000));
      fire("pointerup", place, 2, since + between(2_060, 3_000));
      fire("pointerup", anywhere(), 1, since + 3_000);
    },
    "a touch within 700 ms of the lit screen": async () => {
      await show(lit);
      const place = onControl();
      fire("pointerdown", place, 1, before + between(0, 699));
      fire("pointerup", place, 1, since + between(760, 3_000));
    },
    "a slide that begins within 700 ms of the lit screen": async () => {
      await show(lit);
      fire("pointerdown", thumb, 1, before + between(0, 699));
      const goal = onControl();
      fire("pointermove", goal, 1, since + 900);
      fire("pointerup", goal, 1, since + between(1_000, 3_000));
    },
  };
  for (const [kind, touch] of Object.entries(kinds)) {
    sent = [];
    for (let run = 0; run < tries; run += 1) {
      await show(dark);
      await touch();
      await settle();
    }
    if (sent.length > 0) faults.push(`${kind}: ${sent.length} answers in ${tries} tries`);
    if (document.querySelector("[data-pressed]")) faults.push(`${kind}: a control stays pressed`);
  }
  // When 700 ms have passed, a new touch counts, even if a finger touched the dark screen before.
  sent = [];
  for (let run = 0; run < tries; run += 1) {
    await show(dark);
    fire("pointerdown", anywhere(), 1, since + 10);
    await show(lit);
    fire("pointerup", anywhere(), 1, since + 20);
    const place = onControl();
    fire("pointerdown", place, 1, since + between(700, 3_000));
    fire("pointerup", place, 1, since + between(3_060, 4_000));
    await settle();
  }
  if (sent.length !== tries) faults.push(`${sent.length} of ${tries} touches counted after the 700 ms`);
  globalThis.fetch = realFetch;
  stream.close();
  return faults;
}
