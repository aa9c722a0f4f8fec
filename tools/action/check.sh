#!/usr/bin/env bash
# What the action in action.yml runs: `kilter check` with the inputs of the action, which stand in the environment.
# Inputs of several values have one a line; nothing of them is run by the shell.
set -euo pipefail

arguments=()

# Adds a value for each line that is not empty, behind a flag if there is one.
add() {
    local flag=$1 line
    while IFS= read -r line; do
        line=${line%$'\r'}
        if [[ -n $line ]]; then
            arguments+=(${flag:+"$flag"} "$line")
        fi
    done <<<"$2"
}

add --reference "${KILTER_REFERENCE:?names no file}"
add --baseline "${KILTER_BASELINE:-}"
add --report "${KILTER_REPORT:-}"
add --junit "${KILTER_JUNIT:-}"
add --summary "${GITHUB_STEP_SUMMARY:-}"
add "" "${KILTER_ARGUMENTS:-}"
arguments+=(--)
add "" "${KILTER_SYSTEMS:?names no file}"

exec kilter check --github "${arguments[@]}"
