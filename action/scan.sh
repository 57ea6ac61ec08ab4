#!/usr/bin/env bash
# What the action runs: install the package, scan once, and hand the reports on. Inputs come as variables, never as code.
set -uo pipefail

reports=${UNRUT_REPORTS:-unrut-report}
mkdir -p "$reports"
tool=$(mktemp -d)
case "${UNRUT_VERSION:-latest}" in
  */* | *.tgz) package=$(realpath "$UNRUT_VERSION") ;;
  *) package="unrut@${UNRUT_VERSION:-latest}" ;;
esac
npm install --silent --no-audit --no-fund --prefix "$tool" "$package" || { echo "::error::Cannot install $package"; exit 2; }

args=(--html "$reports/report.html" --sarif "$reports/report.sarif" --junit "$reports/report.xml" --csv "$reports/report.csv" --md "$reports/summary.md")
[ -n "${UNRUT_FAIL_ON:-}" ] && args+=(--fail-on "$UNRUT_FAIL_ON")
[ -n "${UNRUT_MAX_LOOPS:-}" ] && args+=(--max-loops "$UNRUT_MAX_LOOPS")
[ -n "${UNRUT_MAX_WASTED:-}" ] && args+=(--max-wasted "$UNRUT_MAX_WASTED")
[ -n "${UNRUT_BASELINE:-}" ] && [ -f "$UNRUT_BASELINE" ] && args+=(--baseline "$UNRUT_BASELINE")
[ "${UNRUT_STRICT:-false}" = true ] && args+=(--strict)
paths=()
while IFS= read -r path; do [ -n "$path" ] && paths+=("$path"); done <<< "${UNRUT_PATHS:-}"

"$tool/node_modules/.bin/unrut" scan --json "${args[@]}" -- "${paths[@]}" > "$reports/report.json"
code=$?
[ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$reports/summary.md" ] && cat "$reports/summary.md" >> "$GITHUB_STEP_SUMMARY"
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  echo "report-folder=$reports" >> "$GITHUB_OUTPUT"
  echo "exit-code=$code" >> "$GITHUB_OUTPUT"
fi
[ "$code" = 1 ] && echo "::error::Agent runs loop. See the summary of this job."
[ "$code" = 2 ] && echo "::error::Nothing could be read, or --strict and something was not."
rm -rf "$tool"
exit "$code"
