#!/bin/bash
# Causes 2,000 faults, and then lets 1,000 simulated links send while programs are killed and connections are cut:
#   Tests/Archive/soak.sh [PROGRAMS_DIRECTORY] [SEED]
# At most an hour and a half for the faults and half an hour for the links. It needs the programs of run.sh, and root.
set -euo pipefail
cd "$(dirname "$0")/../.."
programs=$(realpath "${1:-.build/debug}")
seed=${2:-1}
Tests/Archive/run.sh "$programs" 2000 "$seed" 5400
timeout 1800 python3 Tests/Archive/soak.py "$programs" 1000 240 "$seed"
