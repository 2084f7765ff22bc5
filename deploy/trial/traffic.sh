# shellcheck shell=bash
# Payments at a constant rate, and the check that each acknowledged one is stored and applied once.

# start_traffic NAME URL: publishes payments with this prefix. The list of the acknowledged ones is on the machine.
start_traffic() {
  mkdir -p "$machine/var/lib/trial"
  in_background "traffic-$1" env "TRIAL_URL=$2" "TRIAL_KEY=$(value MYCASINO_KEY)" bash -c \
    'echo $$ >"$1.pid"; exec /opt/trial/node /opt/trial/publish.ts "$@"' publish "/var/lib/trial/$1" "$rate" "$1"
  until_ok 60 has_acknowledged "$1" 20
}

list_of() { echo "$machine/var/lib/trial/$1"; }
acknowledged() { cat "$(list_of "$1")" 2>/dev/null | wc -l; }
has_acknowledged() { [ "$(acknowledged "$1")" -ge "$2" ]; }

# more_traffic NAME COUNT: waits until so many more payments are acknowledged.
more_traffic() { until_ok 120 has_acknowledged "$1" $(($(acknowledged "$1") + $2)); }

# Every payment that was started is retried until it is acknowledged. Only then the publisher ends.
stop_traffic() {
  inside_sh 'kill -TERM "$(cat "$1.pid")"' stop "/var/lib/trial/$1"
  until_ok 120 traffic_ended "$1"
  cat "$logs/traffic-$1.log"
}
traffic_ended() { grep -q 'payments answered 200' "$logs/traffic-$1.log"; }

# publish_again NAME URL: the operator publishes everything again.
publish_again() {
  inside timeout 300 env "TRIAL_URL=$2" "TRIAL_KEY=$(value MYCASINO_KEY)" /opt/trial/node /opt/trial/publish.ts "/var/lib/trial/$1" again
}

# stored_events DATABASE: the events in the ledger. Worker processes are not needed for it.
stored_events() { psql_in "$1" 'select coalesce(sum(event_count), 0) from ledger_block'; }

# check_payments DATABASE NAME...: each acknowledged payment is there once, in the facts and in the totals.
check_payments() {
  local database=$1 name
  shift
  for name in "$@"; do cut -d ' ' -f 1 "$(list_of "$name")"; done | sort -u >"$state/acknowledged"
  until_ok 120 all_applied "$database" || true
  local missing facts totals
  missing=$(comm -23 "$state/acknowledged" <(sort -u "$state/applied") | wc -l)
  figure "$(wc -l <"$state/acknowledged") payments answered 200, $(comm -12 "$state/acknowledged" <(sort -u "$state/applied") | wc -l) applied"
  facts=$(psql_in "$database" 'select count(*) from live.payment where counted')
  totals=$(psql_in "$database" 'select sum(deposit_count) from live.payment_total')
  expect 'payments that are missing' "$missing" 0
  # A payment that was applied twice would be one fact, but would count twice in the totals.
  expect 'deposits in the totals of the players' "$totals" "$facts"
  figure 'none twice'
}

all_applied() {
  psql_in "$1" 'select payment_id from live.payment where counted' >"$state/applied"
  [ -z "$(comm -23 "$state/acknowledged" <(sort -u "$state/applied"))" ]
}
