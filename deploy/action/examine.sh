#!/usr/bin/env bash
# Examines an app or an API, and adds the result to the summary of the job. It fails as the command does.
set -euo pipefail
# shellcheck source=deploy/action/settings.sh
source "${BASH_SOURCE[0]%/*}/settings.sh"

flags=()
while IFS= read -r line; do
  line=${line%$'\r'}
  [[ $line ]] || continue
  if [[ ! $line =~ ^--[a-z-]+( .*)?$ ]]; then
    echo "::error::flags: expected --name or --name value on each line, found $line"
    exit 1
  fi
  # the rest of the line is the value, with its spaces, so that nobody has to quote
  flags+=("${line%% *}")
  [[ $line != *' '* ]] || flags+=("${line#* }")
done <<<"$INPUT_FLAGS"
[[ ! $INPUT_FAIL_ON ]] || flags+=(--fail-on "$INPUT_FAIL_ON")

result=$RUNNER_TEMP/grantbox/examination.md
mkdir -p "${result%/*}"
rm -f "$result"
code=0
"${grantbox[@]}" examine "${flags[@]}" --format markdown --output "$result" || code=$?
if [[ -s $result ]]; then
  head -n 1 "$result"
  cat "$result" >>"$GITHUB_STEP_SUMMARY"
  echo "examination=$result" >>"$GITHUB_OUTPUT"
fi
exit "$code"
