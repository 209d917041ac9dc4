#!/bin/sh
# Fuzzes the decoders of recordings: run-sound.sh [SECONDS] [WORK_DIRECTORY]. With 0 seconds [default], the inputs
# come from a fixed seed, so each run has the same inputs. With more seconds, each run has new inputs, and keeps
# interesting inputs for the next run. The first part runs in one process, with an address sanitizer for our own code.
# The second part runs the two real decoders in their sandbox, and measures their time and memory. If there is a
# finding, the exit code is 1, and the finding stays in the work directory. Needs the libraries of prompter-sound, the
# built programs, and the encoders.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
seconds=${1:-0}
programs=${PROMPTER_PROGRAMS:-$root/.build/debug}
work=${2:-$root/.build/fuzz}/sound
if [ "$seconds" -eq 0 ]; then
  rm -rf "$work/corpus"
  bounds="-seed=1 -runs=3000"
  files=300
  seed=1
else
  bounds="-max_total_time=$seconds"
  files=$((seconds * 10))
  seed=$(date +%s)
fi
mkdir -p "$work/corpus"

# The fuzzer is one module. Therefore, remove the import of a module of the package from the copy of SoundFile.
sed '/^import SoundProcessing$/d' "$root/Sources/prompter-sound/SoundFile.swift" >"$work/SoundFile.swift"
sources="$work/SoundFile.swift"
for name in CanonicalWAV ChannelMix ClippingMeter Limiter Loudness MPEGFrame Normalizer Numbers OffsetRemoval OggFile \
  Recording RecordingCollector Resampler SoundRefusal UploadFormat WAVLayout; do
  sources="$sources $root/Sources/SoundProcessing/$name.swift"
done
# shellcheck disable=SC2086 # a list of files without blanks
swiftc -O -swift-version 6 -parse-as-library -package-name prompter -sanitize=fuzzer,address \
  -I "$root/Sources/C/CSndFile" -I "$root/Sources/C/CEBUR128" -I "$root/Sources/C/CSampleRate" \
  $sources "$here/FuzzSound.swift" -lsndfile -lebur128 -lsamplerate \
  -o "$work/fuzz-sound" 2>"$work/build.log" || { cat "$work/build.log" >&2; exit 1; }

# Make a recording of 0.8 s that sounds like a voice, in every accepted format.
python3 "$here/sound.py" voice "$work/voice.wav"
cd "$work"
cp voice.wav corpus/voice.wav
flac --silent --force voice.wav -o corpus/voice.flac
oggenc --quiet -q 1 voice.wav -o corpus/voice.ogg
opusenc --quiet --bitrate 24 voice.wav corpus/voice.opus
lame --quiet -b 32 voice.wav corpus/voice.mp3

export ASAN_OPTIONS=detect_leaks=0
# shellcheck disable=SC2086 # two options in one word
./fuzz-sound corpus $bounds -max_len=40000 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
  2>fuzz.log || { tail -40 fuzz.log >&2; exit 1; }
grep -h 'number_of_executed_units' fuzz.log
python3 "$here/sound.py" children "$programs/prompter-sound" corpus "$files" "$seed" 4 128
# Test the second decoder, prompter-formats, with the formats of telephones, browsers and computers.
rm -rf formats
"$root/Tests/Fixtures/sound/make-formats" formats
for file in formats/whole/*; do mv "$file" "formats/voice.${file##*/}"; done
python3 "$here/sound.py" children "$programs/prompter-formats" formats "$files" "$seed" 4 256
