# shellcheck shell=bash
# Section "Rotate secrets", and one process for each role.

secrets_group() {
  step 'all secrets changed' change_secrets
  step '10 messages over wss after the change' receive_messages secrets
  step 'croupier@api and croupier@worker' start_roles
  step '10 messages over wss with both roles' receive_messages roles
  step 'stop of both roles' stop_roles
}

# status_with HEADER URL [CURL OPTIONS]
status_with() { status_of --header "$1" "${@:2}"; }
event='{"user_id":"player-0","timestamp":"2026-05-04T12:00:00Z"}'
login_with() {
  status_with "x-api-key: $1" "$public/v2/integration/login" --header 'content-type: application/json' --data "$event"
}

change_secrets() {
  local old_key old_token old_metrics old_secret
  old_key=$(value MYCASINO_KEY)
  old_token=$(value CROUPIER_ADMIN_TOKEN)
  old_metrics=$(value METRICS_TOKEN)
  old_secret=$(value CROUPIER_SECRET)
  # API key: a second entry.
  set_value MYCASINO_KEY_2 "$(new_secret)"
  sed -i 's|api_keys: \[{ name: main, key: "${MYCASINO_KEY}" }\]|api_keys: [{ name: main, key: "${MYCASINO_KEY}" }, { name: second, key: "${MYCASINO_KEY_2}" }]|' \
    "$machine$settings"
  grep -q 'name: second' "$machine$settings"
  set_value CROUPIER_ADMIN_TOKEN "$(new_secret)"
  set_value METRICS_TOKEN "$(new_secret)"
  set_value MYCASINO_OPERATOR_KEY "$(new_secret)"
  set_value CROUPIER_PREVIOUS_SECRETS "\"$old_secret\""
  set_value CROUPIER_SECRET "$(new_secret)"
  new_secret >"$state/database-password"
  psql_in postgres "alter role croupier password '$(cat "$state/database-password")'"
  set_value DATABASE_URL "postgres://croupier:$(cat "$state/database-password")@127.0.0.1:5432/croupier"
  inside systemctl restart croupier
  wait_ready
  until_ok 20 inside curl --silent --fail --output /dev/null "$public/health/ready"
  expect 'answer to the old API key meanwhile' "$(login_with "$old_key")" 200
  expect 'answer to the new API key meanwhile' "$(login_with "$(value MYCASINO_KEY_2)")" 200
  # The old entry is removed.
  sed -i 's|{ name: main, key: "${MYCASINO_KEY}" }, ||' "$machine$settings"
  inside systemctl restart croupier
  wait_ready
  until_ok 20 inside curl --silent --fail --output /dev/null "$public/health/ready"
  expect 'answer to the old API key' "$(login_with "$old_key")" 401
  expect 'answer to the new API key' "$(login_with "$(value MYCASINO_KEY_2)")" 200
  expect 'answer to the old admin token' "$(status_with "authorization: Bearer $old_token" "$console_api/brands")" 401
  expect 'answer to the new admin token' "$(status_with "authorization: Bearer $(value CROUPIER_ADMIN_TOKEN)" "$console_api/brands")" 200
  expect 'answer to the old metrics token' "$(status_with "authorization: Bearer $old_metrics" "$api/metrics")" 401
  expect 'answer to the new metrics token' "$(status_with "authorization: Bearer $(value METRICS_TOKEN)" "$api/metrics")" 200
  figure 'both API keys accepted in between, and the old key and the old tokens answered 401 afterwards'
}

start_roles() {
  inside systemctl disable --now croupier
  cp "$machine/opt/croupier/deploy/systemd/croupier@.service" "$machine/etc/systemd/system/"
  inside systemctl daemon-reload
  run_block systemd 'croupier@api croupier@worker'
  wait_ready
  expect 'state of the worker' "$(inside systemctl is-active croupier@worker)" active
  until_ok 20 inside curl --silent --fail --output /dev/null "$public/health/ready"
}

stop_roles() {
  local started role
  started=$(milliseconds)
  inside systemctl stop croupier@api croupier@worker
  figure "stopped within $(seconds_since "$started") s"
  for role in api worker; do
    expect "exit code of the $role" "$(inside systemctl show "croupier@$role" --property=ExecMainStatus --value)" 0
    expect "result of the $role" "$(inside systemctl show "croupier@$role" --property=Result --value)" success
  done
  figure 'both with code 0'
}
