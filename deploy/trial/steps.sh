# shellcheck shell=bash
# Steps, and the code blocks of the guide.
steps=0
failed=0
# yes: a step failed without which the rest of the group makes no sense.
abort=no
step_process=

# step NAME COMMAND...: runs the command and prints one line. The command runs in a subshell with `set -e`, so call `step` only as a
# plain command: in a condition, bash ignores `set -e`.
step() {
  local name=$1 started code seconds figures log
  shift
  steps=$((steps + 1))
  if [ "$abort" = yes ]; then
    failed=$((failed + 1))
    echo "skipped  $name"
    return
  fi
  log=$logs/$(printf '%02d' "$steps")-${1//_/-}.log
  : >"$state/figures"
  started=$(milliseconds)
  # `wait` ends at once when the script is interrupted.
  (
    set -euo pipefail
    "$@"
  ) >"$log" 2>&1 </dev/null &
  step_process=$!
  wait "$step_process"
  code=$?
  step_process=
  seconds=$(seconds_since "$started")
  figures=$(paste -sd ';' "$state/figures" | sed 's/;/; /g')
  if [ "$code" = 0 ]; then
    echo "ok       $name${figures:+: $figures} ($seconds s)"
  else
    failed=$((failed + 1))
    echo "FAILED   $name${figures:+: $figures} ($seconds s), see $log"
    tail -n 15 "$log" | sed 's/^/           /'
  fi
  return "$code"
}

# The same for a step that the rest of the group needs.
needed_step() {
  step "$@"
  # shellcheck disable=SC2181
  [ $? = 0 ] || abort=yes
}

# end_processes PROCESS: ends a process of this script and all processes below it.
end_processes() {
  local child
  for child in $(pgrep --parent "$1"); do end_processes "$child"; done
  kill -TERM "$1" 2>/dev/null
}

# figure TEXT: adds a figure to the line of the step.
figure() { echo "$*" >>"$state/figures"; }

milliseconds() { date +%s%3N; }
seconds_since() { awk -v ms=$(($(milliseconds) - $1)) 'BEGIN { printf "%.1f", ms / 1000 }'; }

# until_ok SECONDS COMMAND...: repeats the command until it succeeds.
until_ok() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      echo "did not succeed in time: $*" >&2
      return 1
    fi
    sleep 0.2
  done
}

expect() {
  [ "$2" = "$3" ] || {
    figure "$1 is $2 instead of $3"
    return 1
  }
}

# guide_block HEADING TEXT: prints the first code block directly below a heading of the guide that contains the text.
guide_block() {
  awk -v heading="$1" -v text="$2" '
    /^ *```/ {
      if (inside && found) { printf "%s", block; done = 1; exit }
      inside = !inside; block = ""; found = 0; next
    }
    inside { sub(/^   /, ""); block = block $0 "\n"; if (here && index($0, text)) found = 1; next }
    /^#+ / { title = $0; sub(/^#+ /, "", title); here = (title == heading) }
    END { if (!done) { print "the guide has no such block: " heading ", " text > "/dev/stderr"; exit 1 } }
  ' "$guide"
}

# run_block HEADING TEXT [SED]: runs a block of the guide in the machine, in the folder of the checkout. SED contains the deviations,
# and replaces the values that the reader of the guide chooses.
run_block() {
  guide_block "$1" "$2" | sed -E "${3:-}" >"$machine/root/block.sh"
  inside_sh 'cd /opt/croupier 2>/dev/null || cd /; exec bash -ex /root/block.sh'
}
