// Records a voice with the microphone, and puts it as a WAV file into the form. Without this script, the form takes a file.

/** The least loudness of a usable recording, as root mean square of samples from -1 to 1. */
const QUIET = 0.01;
/** The sample from which on a recording is distorted. */
const LOUD = 0.985;

/**
 * The samples of all channels as a mean.
 * @param {AudioBuffer} buffer
 */
function mono(buffer) {
  const samples = new Float32Array(buffer.length);
  for (let channel = 0; channel < buffer.numberOfChannels; channel += 1) {
    const data = buffer.getChannelData(channel);
    for (let index = 0; index < samples.length; index += 1) samples[index] += data[index] / buffer.numberOfChannels;
  }
  return samples;
}

/**
 * A WAV file with one channel of 16 bits.
 * @param {Float32Array} samples
 * @param {number} rate samples in a second
 */
export function wav(samples, rate) {
  const view = new DataView(new ArrayBuffer(44 + samples.length * 2));
  /** @param {number} place @param {string} text */
  const write = (place, text) => [...text].forEach((letter, index) => view.setUint8(place + index, letter.charCodeAt(0)));
  write(0, "RIFF");
  view.setUint32(4, 36 + samples.length * 2, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, "data");
  view.setUint32(40, samples.length * 2, true);
  samples.forEach((sample, index) => {
    view.setInt16(44 + index * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32767), true);
  });
  return view.buffer;
}

/**
 * What to say about the level of a recording.
 * @param {Float32Array} samples
 * @returns {"loud" | "quiet" | "good"}
 */
export function judge(samples) {
  let [sum, cut] = [0, 0];
  for (const sample of samples) {
    sum += sample * sample;
    if (Math.abs(sample) >= LOUD) cut += 1;
  }
  if (cut > 3) return "loud";
  return Math.sqrt(sum / Math.max(1, samples.length)) < QUIET ? "quiet" : "good";
}

/** @param {HTMLElement} box */
function prepare(box) {
  const [start, stop] = [box.querySelector("[data-start]"), box.querySelector("[data-stop]")];
  const [meter, player] = [box.querySelector("meter"), box.querySelector("audio")];
  const [countdown, verdict] = [box.querySelector("[data-countdown]"), box.querySelector("[data-verdict]")];
  const field = document.getElementById("file");
  if (!(start instanceof HTMLButtonElement && stop instanceof HTMLButtonElement && meter && player && countdown && verdict
    && field instanceof HTMLInputElement)) return;
  /** @param {string} name @param {string} [value] */
  const words = (name, value = "") => (box.dataset[name] ?? "").replace("{n}", value);
  const longest = Number(box.dataset.longest) * 1000;
  /** @type {MediaRecorder | undefined} */
  let active;

  /** @param {Blob} blob @param {AudioContext} audio */
  const keep = async (blob, audio) => {
    const buffer = await audio.decodeAudioData(await blob.arrayBuffer());
    const samples = mono(buffer);
    const file = new File([wav(samples, buffer.sampleRate)], "recording.wav", { type: "audio/wav" });
    const transfer = new DataTransfer();
    transfer.items.add(file);
    field.files = transfer.files;
    if (player.src) URL.revokeObjectURL(player.src);
    player.src = URL.createObjectURL(file);
    player.hidden = false;
    verdict.textContent = `${words("recorded", buffer.duration.toFixed(1))} ${words(judge(samples))}`;
  };

  const record = async () => {
    start.disabled = true;
    verdict.textContent = "";
    /** @type {MediaStream} */
    let stream;
    try {
      // Without these options, the browser would change the level of the voice.
      stream = await navigator.mediaDevices.getUserMedia({
        audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
      });
    } catch (error) {
      console.info("there is no microphone", error);
      verdict.textContent = words("denied");
      start.disabled = false;
      return;
    }
    const audio = new AudioContext();
    const analyser = audio.createAnalyser();
    audio.createMediaStreamSource(stream).connect(analyser);
    const heard = new Float32Array(analyser.fftSize);
    const recorder = new MediaRecorder(stream);
    /** @type {Blob[]} */
    const pieces = [];
    const begun = performance.now();
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(heard);
      meter.value = Math.max(...heard.map(Math.abs));
      const left = longest - (performance.now() - begun);
      countdown.textContent = words("left", String(Math.max(0, Math.ceil(left / 1000))));
      if (left <= 0 && recorder.state === "recording") recorder.stop();
    }, 100);
    recorder.addEventListener("dataavailable", (event) => pieces.push(event.data));
    recorder.addEventListener("stop", async () => {
      clearInterval(timer);
      for (const track of stream.getTracks()) track.stop();
      meter.value = 0;
      countdown.textContent = "";
      [start.disabled, stop.disabled] = [false, true];
      await keep(new Blob(pieces, { type: recorder.mimeType }), audio);
      await audio.close();
      start.focus();
    });
    active = recorder;
    stop.disabled = false;
    stop.focus();
    recorder.start();
  };

  start.addEventListener("click", () => { void record(); });
  stop.addEventListener("click", () => { if (active?.state === "recording") active.stop(); });
  box.hidden = false;
}

const box = document.querySelector("[data-recorder]");
if (box instanceof HTMLElement && "mediaDevices" in navigator && "MediaRecorder" in globalThis) prepare(box);
