# The command and the settings of the inputs, for start.sh and examine.sh.
# shellcheck shell=bash

# words of a command, such as "npx --yes grantbox"
# shellcheck disable=SC2034 # the scripts that source this file run it
read -ra grantbox <<<"$INPUT_GRANTBOX"

number=0
while IFS= read -r line; do
  number=$((number + 1))
  line=${line%$'\r'}
  [[ $line ]] || continue
  if [[ ! $line =~ ^[A-Z][A-Z0-9_]*= ]]; then
    # not the line: it may be a part of a secret
    echo "::error::settings: expected NAME=value on each line; line $number is something else"
    exit 1
  fi
  export "${line?}"
done <<<"$INPUT_SETTINGS"
[[ ! $INPUT_CONFIG ]] || export CONFIG_FILE=$INPUT_CONFIG
export PORT=$INPUT_PORT
