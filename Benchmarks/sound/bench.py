#!/usr/bin/env python3
"""Measures prompter-sound, compared with aplay: bench.py PATH-TO-PROMPTER-SOUND [ROUNDS]

The script needs no sound card, because the device is ALSA's null plug-in. The figures are the times of our code and
of alsa-lib. A real device adds its own time. Needs python3, cc, alsa-utils, ffmpeg and sox.
"""
import json, math, os, random, statistics, struct, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
PLAYER = os.path.abspath(sys.argv[1])
FORMATS = os.path.join(os.path.dirname(PLAYER), "prompter-formats")
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 100
FOLDER = tempfile.mkdtemp(prefix="prompter-bench-")


def wav(path, samples, rate=48000):
    data = struct.pack(f"<{len(samples)}h", *samples)
    head = b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack(
        "<IHHIIHH", 16, 1, 1, rate, rate * 2, 2, 16) + b"data" + struct.pack("<I", len(data))
    with open(path, "wb") as file:
        file.write(head + data)


def sine(seconds, rate=48000, hertz=440, level=9000):
    return [int(level * math.sin(2 * math.pi * hertz * n / rate)) for n in range(int(seconds * rate))]


class Program:
    """A running program that has loaded stamp.so, and the time stamps that stamp.so writes."""

    def __init__(self, arguments, **options):
        pipe = FOLDER + "/stamps"
        if os.path.exists(pipe):
            os.unlink(pipe)
        os.mkfifo(pipe)
        environment = dict(
            os.environ, LD_PRELOAD=FOLDER + "/stamp.so", STAMP_PIPE=pipe, ALSA_CONFIG_PATH=FOLDER + "/asound.conf")
        self.stamps = os.fdopen(os.open(pipe, os.O_RDWR))
        self.asked = time.monotonic_ns()
        self.process = subprocess.Popen(arguments, env=environment, **options)

    def stamp(self, wanted):
        for line in self.stamps:
            what, when = line.split()
            if what == wanted:
                return int(when)
        raise SystemExit(f"{self.process.args} ended without the time stamp {wanted}")


class Player(Program):
    def __init__(self):
        super().__init__([PLAYER, "play"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.lines = self.process.stdout

    def send(self, **command):
        asked = time.monotonic_ns()
        self.process.stdin.write(json.dumps(command).encode() + b"\n")
        return asked

    def hear(self, wanted):
        while True:
            line = self.lines.readline()
            if not line:
                raise SystemExit(f"the player ended without the event {wanted}")
            if json.loads(line)["event"] == wanted:
                return

    def play(self):
        return self.send(command="play", id="ring", devices=[{"name": "null"}], lead_in_ms=150, max_ms=30000,
                         segments=[{"files": [], "builtin": "chime"}, {"silence_ms": 500}, {"files": [FOLDER + "/voice.wav"], "builtin": "chime"}])

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def show(name, nanoseconds):
    values = sorted(value / 1e6 for value in nanoseconds)
    p99 = values[min(len(values) - 1, math.ceil(len(values) * 0.99) - 1)]
    print(f"{name:58} p50 {statistics.median(values):8.2f} ms   p99 {p99:8.2f} ms   n {len(values)}")
    return statistics.median(values)


def latency():
    warm, silence, cold, aplay = [], [], [], []
    player = Player()
    player.hear("ready")
    time.sleep(1)
    for _ in range(ROUNDS):
        asked = player.play()
        warm.append(player.stamp("frames") - asked)
        player.hear("started")
        time.sleep(random.uniform(0.02, 0.06))
        asked = player.send(command="stop", id="ring")
        silence.append(player.stamp("silent") - asked)
        player.hear("ended")
    player.end()
    # Measure the two programs in turn, so that other load affects both programs.
    for _ in range(max(10, ROUNDS // 4)):
        player = Player()
        player.play()
        cold.append(player.stamp("frames") - player.asked)
        player.end()
        other = Program(["aplay", "-q", "-D", "null", FOLDER + "/voice.wav"])
        aplay.append(other.stamp("frames") - other.asked)
        other.process.wait()
    ours = show("request to first frame, player running", warm)
    show("request to first frame, player not yet started", cold)
    theirs = show("aplay on the same recording, not yet started", aplay)
    print(f"{'aplay : ours':58} {theirs / ours:.1f}")
    show("stop to silence (snd_pcm_drop has returned)", silence)


def best_of(rounds, arguments, content):
    """Returns the shortest time in seconds, and the last run."""
    best = None
    for _ in range(rounds):
        begin = time.monotonic()
        done = subprocess.run(arguments, input=content, capture_output=True)
        best = min(best or 1e9, time.monotonic() - begin)
    return best, done


def decode():
    """Decodes one minute of sound in each format. For comparison, ffmpeg converts the same file to the same WAV
    format, without the checks and without the change of the loudness."""
    wav, uploads = FOLDER + "/long.wav", {"WAV, 44.1 kHz": FOLDER + "/long.wav"}
    for name, ending, options in (
            ("FLAC", "flac", []), ("FLAC, 192 kHz", "flac", ["-ar", "192000"]), ("Ogg Vorbis", "ogg", []),
            ("Ogg Opus", "opus", ["-c:a", "libopus"]), ("MP3", "mp3", []), ("M4A, AAC", "m4a", []),
            ("M4A, ALAC", "m4a", ["-c:a", "alac"]), ("AAC, ADTS", "aac", []),
            ("WebM, Opus", "webm", ["-c:a", "libopus"]), ("CAF, ALAC", "caf", ["-c:a", "alac"]), ("WMA", "wma", [])):
        uploads[name] = f"{FOLDER}/{len(uploads)}.{ending}"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", wav, *options, uploads[name]], check=True)
    uploads["AMR-NB"] = FOLDER + "/long.amr"
    subprocess.run(["sox", wav, "-r", "8000", "-t", "amr-nb", uploads["AMR-NB"]], check=True)
    uploads["3GP, AMR-NB"] = FOLDER + "/long.3gp"
    subprocess.run(["ffmpeg", "-loglevel", "error", "-i", uploads["AMR-NB"], "-c", "copy", uploads["3GP, AMR-NB"]],
                   check=True)
    for name, path in uploads.items():
        with open(path, "rb") as file:
            content = file.read()
        program = PLAYER
        best, done = best_of(5, [program, "decode"], content)
        if b"other_format" in done.stderr:
            program = FORMATS
            best, done = best_of(5, [program, "decode"], content)
        seconds = json.loads(done.stderr.splitlines()[-1])["duration_ms"] / 1000
        peer, _ = best_of(3, ["ffmpeg", "-loglevel", "error", "-i", path, "-ac", "1", "-ar", "48000", "-f", "wav", "-"],
                          None)
        print(f"{'decode ' + name + ' (' + os.path.basename(program) + ')':58} {best * 1000:8.1f} ms for {seconds:.1f} s: "
              f"{seconds / best:.0f} × real time; ffmpeg {peer * 1000:.1f} ms")


def memory():
    player = Player()
    player.hear("ready")
    time.sleep(1)

    def status(*names):
        with open(f"/proc/{player.process.pid}/status") as file:
            fields = dict(line.split(":", 1) for line in file)
        return [int(fields[name].split()[0]) for name in names]

    before = sum(status("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"))
    rss, anonymous = status("VmRSS", "RssAnon")
    time.sleep(5)
    wakes = sum(status("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches")) - before
    print(f"{'player idle':58} RSS {rss / 1024:.1f} MB, anonymous {anonymous / 1024:.1f} MB, "
          f"{wakes} wake-ups in 5 s")
    player.play()
    player.hear("progress")
    rss, anonymous = status("VmRSS", "RssAnon")
    print(f"{'player ringing':58} RSS {rss / 1024:.1f} MB, anonymous {anonymous / 1024:.1f} MB")
    player.end()


subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", FOLDER + "/stamp.so", HERE + "/stamp.c", "-ldl"], check=True)
with open(FOLDER + "/asound.conf", "w") as file:
    file.write("</usr/share/alsa/alsa.conf>\n")
wav(FOLDER + "/voice.wav", sine(5))
wav(FOLDER + "/long.wav", sine(58, rate=44100), rate=44100)
latency()
decode()
memory()
subprocess.run(["rm", "-r", FOLDER], check=True)
