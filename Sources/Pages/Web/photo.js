// The photo of a finished task. A fault here does no harm, because the task is already recorded as done.

/** The ideal width of a photo in pixels, and the quality of the JPEG file from 0 to 1. */
const [WIDTH, QUALITY] = [1280, 0.85];

/** @type {MediaStream | null} */
let stream = null;

/** Switches the camera off. The page calls this function for each new screen. */
export function closeCamera() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
}

/** @param {HTMLElement} camera @param {"live" | "still" | "failed"} phase */
function show(camera, phase) {
  for (const part of camera.querySelectorAll("[data-in]")) {
    if (part instanceof HTMLElement) part.hidden = part.dataset.in !== phase;
  }
}

/**
 * Shows either the camera or the rest of the screen.
 * @param {HTMLElement} camera @param {boolean} isOpen
 */
function open(camera, isOpen) {
  for (const part of camera.parentElement?.children ?? []) {
    if (part instanceof HTMLElement) part.hidden = part === camera ? !isOpen : isOpen || part.matches("[data-failed]");
  }
  if (!isOpen) closeCamera();
}

/** @param {HTMLElement} camera @param {HTMLVideoElement} video */
async function start(camera, video) {
  open(camera, true);
  show(camera, "live");
  closeCamera();
  const started = await navigator.mediaDevices.getUserMedia({ video: { width: { ideal: WIDTH } }, audio: false });
  // Use the camera only if the screen has not changed since the request.
  if (camera.isConnected && !camera.hidden) {
    stream = started;
    video.srcObject = started;
    await video.play();
  } else {
    for (const track of started.getTracks()) track.stop();
  }
}

/** @param {HTMLCanvasElement} canvas @param {string} prompt */
async function send(canvas, prompt) {
  const file = await new Promise((/** @type {(blob: Blob | null) => void} */ take) => canvas.toBlob(take, "image/jpeg", QUALITY));
  const headers = { "Content-Type": "image/jpeg", "Prompter-Prompt": prompt };
  const reply = await fetch("/photo", { method: "POST", headers, body: file });
  if (!reply.ok) throw new Error(`the server answered ${reply.status}`);
  for (const part of document.querySelectorAll("[data-photo-sent], [data-answer=photo-open]")) {
    if (part instanceof HTMLElement) part.hidden = !part.matches("[data-photo-sent]");
  }
}

/**
 * Performs the action of a camera button.
 * @param {HTMLElement} pressed
 */
export async function photo(pressed) {
  const camera = pressed.closest("section")?.querySelector("[data-camera]");
  const [video, canvas] = [camera?.querySelector("video"), camera?.querySelector("canvas")];
  if (!(camera instanceof HTMLElement) || !video || !canvas) return;
  try {
    switch (pressed.dataset.answer) {
      case "photo-open": return void await start(camera, video);
      case "photo-retake": return show(camera, "live");
      case "photo-close": return open(camera, false);
      case "photo-take":
        if (video.videoWidth === 0) return;
        [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
        canvas.getContext("2d")?.drawImage(video, 0, 0);
        return show(camera, "still");
      case "photo-send":
        await send(canvas, pressed.dataset.prompt ?? "");
        return open(camera, false);
    }
  } catch (error) {
    console.info("there is no photo", error);
    closeCamera();
    show(camera, "failed");
  }
}
