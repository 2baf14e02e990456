#!/usr/bin/env bash
# Stops the sandbox of start.sh, which writes its report then.
set -euo pipefail

# npx starts the sandbox as a child, or as a child of a shell. The signal is for the last one: npx would end before the report is written
last_of() {
  local child
  child=$(pgrep -P "$1" | head -n 1) || true
  if [[ $child ]]; then last_of "$child"; else echo "$1"; fi
}

state=$RUNNER_TEMP/grantbox
if [[ ! -s $state/pid ]]; then
  echo '::warning::There is no sandbox of this job to report on: it was not started.'
  exit 0
fi
pid=$(<"$state/pid")
kill -TERM "$(last_of "$pid")" 2>/dev/null || echo '::warning::The sandbox had ended before.'
for _ in $(seq 300); do
  kill -0 "$pid" 2>/dev/null || break
  sleep 0.1
done
kill -KILL "$pid" 2>/dev/null && echo '::warning::The sandbox did not end within 30 seconds.'
rm "$state/pid"
echo "report=$state/report" >>"$GITHUB_OUTPUT"
if [[ -s $state/report/report.json ]]; then
  echo "The report is in $state/report"
else
  echo '::warning::The sandbox wrote no report. Its log:'
  cat "$state/log"
fi
