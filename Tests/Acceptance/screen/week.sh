#!/bin/bash
# The patient's screen in a browser during a week in fast motion: 600 tasks with about 10,000 events in half an hour.
set -euo pipefail
cd "$(dirname "$0")/../../.."
PROMPTER_TASKS=600 "$(Tests/Screen/venv)/python" -u Tests/Screen/test_week.py "$1"
