# shellcheck shell=bash
# Section "Upgrade and roll back", under traffic: from EARLIER, which has another schema, to COMMIT, and back.

upgrade_group() {
  needed_step 'machine without Croupier' machine_for_upgrade
  needed_step 'PostgreSQL, user and database' prepare_database
  needed_step "$earlier_short: packages, clone, npm ci, build" install_version "$earlier"
  needed_step "$earlier_short: configuration" configure "$earlier"
  needed_step 'operator of the trial' start_operator
  needed_step "$earlier_short: systemctl enable --now croupier" start_service "$earlier"
  needed_step "upgrade to $short under traffic" upgrade
  needed_step 'start with an empty database under traffic' start_empty
  needed_step 'payments published again after the upgrade' after_upgrade
  needed_step "rollback to $earlier_short under traffic" roll_back
  step 'payments published again after the rollback' after_rollback
}

# Group A leaves a machine with the packages, which saves their installation.
machine_for_upgrade() {
  if [ -e "$state/leader" ]; then
    remove_version
  else
    make_base
    boot_machine
  fi
}

# upgrade_block COMMIT COMMANDS: the block of the section. The commands run before the service starts.
upgrade_block() { run_block 'Upgrade and roll back' 'git fetch' "s|<version>|--quiet $1|; s|^npm run build\$|& --if-present|; s|^systemctl start croupier\$|$2; &|"; }

upgrade() {
  start_traffic upgrade "$api"
  cp --archive "$machine/etc/croupier" "$machine/root/configuration-before"
  configuration_of "$commit" >"$machine/root/croupier.yaml"
  # The old database as a dump. pg_dump writes another word behind \\restrict each time.
  echo 'su postgres -c "pg_dump croupier" | grep -v "restrict " | sha256sum' >"$machine/root/fingerprint.sh"
  # Deviation: the new version gets its own example file, because the earlier one may not know all of its settings.
  upgrade_block "$commit" 'cp /root/croupier.yaml /etc/croupier/croupier.yaml; sh /root/fingerprint.sh >/root/before'
  until_ok 120 has_ended_or_started
  if is_ready; then
    figure 'ready with the same database'
    echo croupier >"$state/database"
    return
  fi
  expect 'exit code' "$(inside systemctl show croupier --property=ExecMainStatus --value)" 78
  expect 'number of restarts' "$(inside systemctl show croupier --property=NRestarts --value)" 0
  inside journalctl --unit=croupier --lines=20 | grep 'created by an earlier version of Croupier'
  inside sh /root/fingerprint.sh >"$machine/root/after"
  cmp "$machine/root/before" "$machine/root/after"
  figure 'refused with the old database, exit code 78, not restarted, the old database did not change'
  echo croupier_new >"$state/database"
}

has_ended_or_started() { is_ready || inside systemctl is-failed --quiet croupier; }

start_empty() {
  [ "$(cat "$state/database")" = croupier_new ] || { figure 'not needed'; return 0; }
  sed -i '/^DATABASE_URL=/s|/croupier$|/croupier_new|' "$machine/etc/croupier/croupier.env"
  set_value CROUPIER_SECRET "$(new_secret)"
  sed -i '/^CROUPIER_PREVIOUS_SECRETS=/d' "$machine/etc/croupier/croupier.env"
  run_block 'Upgrade and roll back' croupier_new
  wait_ready
}

after_upgrade() {
  more_traffic upgrade 20
  stop_traffic upgrade
  publish_again upgrade "$api"
  check_payments "$(cat "$state/database")" upgrade
}

roll_back() {
  start_traffic rollback "$api"
  # The old database and the old secrets.
  upgrade_block "$earlier" 'cp --archive /root/configuration-before/. /etc/croupier/'
  wait_ready
}

after_rollback() {
  more_traffic rollback 20
  stop_traffic rollback
  publish_again upgrade "$api"
  publish_again rollback "$api"
  check_payments croupier upgrade rollback
}
