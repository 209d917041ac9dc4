#!/bin/bash
# Checks the JavaScript of the patient's screen and of the caretaker's pages without a browser. The checks find wrong types,
# common mistakes and wrong behaviour:
#   Tests/Screen/scripts.sh OXLINT WORK_DIRECTORY
# Needs node and tsc (nodejs, node-typescript).
set -euo pipefail
oxlint=$(realpath "${1:?usage: Tests/Screen/scripts.sh OXLINT WORK_DIRECTORY}")
work=$(realpath -m "${2:?usage: Tests/Screen/scripts.sh OXLINT WORK_DIRECTORY}")/scripts
cd "$(dirname "$0")/../.."
tsc -p Tests/Screen/JavaScript/tsconfig.json
"$oxlint" --quiet --config Tests/Screen/JavaScript/oxlintrc.json Sources/Pages/Web Sources/CaretakerPages/Web Sources/Pairing/Web Tests/Screen/JavaScript
if grep -rnE 'innerHTML|insertAdjacentHTML|outerHTML|document\.write' Sources/Pages/Web --include='*.js' | grep -v '/swap.js:'; then
  echo "only swap.js may turn text into HTML" >&2
  exit 1
fi
if grep -rnE 'innerHTML|insertAdjacentHTML|outerHTML|document\.write|DOMParser' Sources/CaretakerPages/Web Sources/Pairing/Web --include='*.js' |
  grep -v '/refresh.js:'; then
  echo "only refresh.js may turn text into HTML" >&2
  exit 1
fi
lines=$(cat Sources/Pages/Web/*.js | wc -l)
if [ "$lines" -gt 900 ]; then
  echo "the JavaScript of the screen has $lines lines; the limit is 900" >&2
  exit 1
fi
# Node 18 reads a .js file as a module only if a package.json file says that it is a module.
rm -rf "$work"
mkdir -p "$work"
cp -r Sources/Pages/Web Tests/Screen/JavaScript "$work"
echo '{"type": "module"}' > "$work/package.json"
if ! TZ=Asia/Tokyo node --test --test-reporter=tap "$work"/JavaScript/*.test.mjs > "$work/said" 2>&1; then
  sed -n "/^not ok/,/^  \.\.\./p" "$work/said" >&2
  exit 1
fi
echo "the scripts of the screen: types, lint and $(sed -n 's/^# pass //p' "$work/said") tests passed"
