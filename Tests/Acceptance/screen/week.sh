#!/bin/bash
# The patient's screen in a browser during many tasks in fast motion: the memory of the page must not grow. 40 tasks have
# about 640 events. With more tasks, each task takes longer, because each event makes the page server read the prompts of
# five days. A whole week (600 tasks) has not run to its end.
set -euo pipefail
cd "$(dirname "$0")/../../.."
PROMPTER_TASKS="${PROMPTER_TASKS:-40}" "$(Tests/Screen/venv)/python" -u Tests/Screen/test_week.py "$1"
