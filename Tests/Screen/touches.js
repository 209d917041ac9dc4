// Makes many touches on the real page with its real scripts. Each touch has simulated times, so that no test must
// wait. The test collects the answers of the page, and does not send them. Returns a list of faults.
async ({ mm, taps, accidents, seed }) => {
  const faults = [];
  const fail = (text) => { if (faults.length < 10) faults.push(text); };
  // A small generator of random numbers (mulberry32), so that each run has the same touches.
  const random = () => {
    seed = seed + 0x6D2B79F5 | 0;
    let x = Math.imul(seed ^ seed >>> 15, 1 | seed);
    x = x + Math.imul(x ^ x >>> 7, 61 | x) ^ x;
    return ((x ^ x >>> 14) >>> 0) / 4294967296;
  };
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const between = (from, to) => from + (to - from) * random();

  const realFetch = globalThis.fetch;
  let sent = [];
  globalThis.fetch = async (path, options) => {
    if (path !== "/answer" && path !== "/question") return realFetch(path, options);
    sent.push(JSON.parse(options.body).answer);
    return new Response(null, { status: 409 });
  };
  // The simulated time of each touch is long after the newest screen appeared. Therefore, the 700 ms are over.
  let now = performance.now() + 10_000;
  const fire = (kind, x, y, id, wait = 0) => {
    now += wait;
    const event = new PointerEvent(kind, { clientX: x, clientY: y, pointerId: id, pointerType: "touch", bubbles: true, cancelable: true });
    Object.defineProperty(event, "timeStamp", { value: now });
    (document.elementFromPoint(x, y) ?? document.body).dispatchEvent(event);
  };
  const settle = async () => { for (let turn = 0; turn < 6; turn += 1) await Promise.resolve(); };
  const center = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  // SCREEN.md: old people touch 3.4 mm from the centre on average. The distances have a Rayleigh distribution.
  const spread = 3.4 / Math.sqrt(Math.PI / 2) * mm;
  const controls = [...document.querySelectorAll("[data-answer]")];
  for (const control of controls) {
    const right = control.dataset.answer;
    let taken = 0;
    for (let tap = 0; tap < taps; tap += 1) {
      const [x, y] = center(control);
      const [x1, y1] = [x + gauss() * spread, y + gauss() * spread];
      // The page counts only one press of "say it again" in a second. Remove the attribute, so that the next touch
      // counts.
      control.removeAttribute("data-asking");
      sent = [];
      fire("pointerdown", x1, y1, 1, 1_000);
      fire("pointermove", x1 + gauss() * 2, y1 + gauss() * 2, 1, 20);
      fire("pointerup", x1 + gauss() * 2, y1 + gauss() * 2, 1, between(45, 400));
      await settle();
      if (sent.length === 1 && sent[0] === right) taken += 1;
      else if (sent.length > 0) fail(`a tap on ${right} sent ${sent}`);
    }
    if (taken < taps * 0.99) fail(`${right} took only ${taken} of ${taps} taps`);
  }

  const places = controls.map(center);
  const thumb = document.querySelector("[data-thumb]");
  const anywhere = () => [between(5, innerWidth - 5), between(5, innerHeight - 5)];
  const onControl = () => places[Math.floor(random() * places.length)];
  const kinds = {
    "a palm of two to five fingers": () => {
      const count = 2 + Math.floor(random() * 4);
      const fingers = Array.from({ length: count }, (_, index) => index === 0 ? onControl() : random() < 0.5 ? onControl() : anywhere());
      fingers.forEach(([x, y], id) => fire("pointerdown", x, y, id, between(0, 60)));
      fingers.forEach(([x, y], id) => fire("pointerup", x, y, id, between(60, 300)));
    },
    "a touch shorter than 60 ms": () => {
      const [x, y] = onControl();
      fire("pointerdown", x, y, 1, 1_000);
      fire("pointerup", x, y, 1, between(0, 59.9));
    },
    "a finger that leaves the control": () => {
      const [x, y] = onControl();
      fire("pointerdown", x, y, 1, 1_000);
      const away = [between(20, innerWidth - 20), between(10, innerHeight * 0.3)];
      fire("pointermove", ...away, 1, 50);
      fire("pointerup", ...away, 1, 300);
    },
    "a finger that comes from elsewhere": () => {
      fire("pointerdown", between(20, innerWidth - 20), between(10, innerHeight * 0.3), 1, 1_000);
      fire("pointermove", ...onControl(), 1, 50);
      fire("pointerup", ...onControl(), 1, 300);
    },
    "a touch that the browser takes away": () => {
      const [x, y] = onControl();
      fire("pointerdown", x, y, 1, 1_000);
      fire("pointercancel", x, y, 1, 100);
    },
  };
  if (places.length > 1) kinds["a finger that wanders to the other end"] = () => {
    const [from, to] = random() < 0.5 ? places : [...places].reverse();
    fire("pointerdown", ...from, 1, 1_000);
    fire("pointermove", ...to, 1, 50);
    fire("pointerup", ...to, 1, 300);
  };
  if (thumb) kinds["a slide that turns back"] = () => {
    const [x, y] = center(thumb);
    fire("pointerdown", x, y, 1, 1_000);
    const [goal] = onControl();
    for (const part of [0.3, 0.7, 1, 0.6, 0.2, 0]) fire("pointermove", x + (goal - x) * part, y, 1, 30);
    fire("pointerup", x, y, 1, 30);
  };
  for (const [kind, work] of Object.entries(kinds)) {
    sent = [];
    for (let run = 0; run < accidents; run += 1) {
      work();
      await settle();
    }
    if (sent.length > 0) fail(`${kind}: ${sent.length} answers in ${accidents} tries`);
    if (document.querySelector("[data-pressed]")) fail(`${kind}: a control stays pressed`);
    if (thumb && getComputedStyle(thumb).getPropertyValue("--slid").trim() !== "0px" && kind === "a slide that turns back") fail(`${kind}: the thumb stays away`);
  }

  if (thumb) for (const end of document.querySelectorAll(".end")) {
    let taken = 0;
    sent = [];
    for (let run = 0; run < 200; run += 1) {
      const [x, y] = center(thumb);
      const [goal, level] = center(end);
      fire("pointerdown", x, y, 1, 1_000);
      for (const part of [0.2, 0.5, 0.8, 1]) fire("pointermove", x + (goal - x) * part, y + gauss() * 8, 1, 40);
      fire("pointerup", goal + gauss() * spread, level + gauss() * spread, 1, 40);
      await settle();
      taken += sent.at(-1) === end.dataset.answer ? 1 : 0;
    }
    if (sent.length !== 200 || taken !== 200) fail(`${end.dataset.answer}: ${taken} of 200 slides, ${sent.length} answers`);
  }
  globalThis.fetch = realFetch;
  return faults;
}
