# shellcheck shell=bash
# Sections "Backup and restore" and "Restore to an earlier moment", under traffic through the proxy.

cluster=/var/lib/postgresql/17/main
settings=/etc/croupier/croupier.yaml

backups_group() {
  step 'folder of the backups' backup_folder
  needed_step 'dump under traffic' dump
  needed_step 'restore of the dump under traffic' restore_dump
  needed_step 'payments published again after the dump' after_restore dump dump
  needed_step 'archive and base backup' base_backup
  needed_step 'restore to a moment under traffic' restore_moment
  needed_step 'payments published again after the moment' after_restore moment dump moment
  needed_step 'new base backup, restore of everything under traffic' restore_everything
  step 'all payments after the restore of everything' after_everything
}

# Deviation: the machine of the trial has one disk. So the block only runs, and the copy to another machine is left out.
backup_folder() { run_block 'Backup and restore' findmnt; }

dump() {
  start_traffic dump "$public"
  acknowledged dump >"$state/before-dump"
  run_block 'Backup and restore' 'pg_dump --format'
  more_traffic dump 20
  figure "$(cat "$state/before-dump") payments answered 200 before the dump"
}

restore_dump() {
  local restored
  without_worker
  # The events are counted before Croupier starts, because the publisher continues then.
  run_block 'Backup and restore' pg_restore 's/^systemctl start croupier$/su postgres -c "psql -At -c \\"select sum(event_count) from ledger_block\\" croupier" >\/root\/restored; &/'
  wait_ready
  restored=$(cat "$machine/root/restored")
  figure "$restored events restored"
  [ "$restored" -ge "$(cat "$state/before-dump")" ]
}

without_worker() { echo 'processes: { worker: 0 }' >>"$machine$settings"; }
with_worker() {
  sed -i '/^processes:/d' "$machine$settings"
  inside systemctl restart croupier
  wait_ready
}

# after_restore NAME LIST...: the traffic ends, the operator publishes it again, and the worker starts. Then all payments of the
# lists are there.
after_restore() {
  local name=$1
  shift
  more_traffic "$name" 20
  stop_traffic "$name"
  publish_again "$name" "$public"
  with_worker
  check_payments croupier "$@"
}

base_backup() {
  guide_block 'Backup and restore' 'archive_mode = on' >>"$machine/etc/postgresql/17/main/postgresql.conf"
  run_block 'Backup and restore' 'pg_basebackup'
  until_ok 60 is_ready
  # The day of the backup, which the reader enters in the commands of the restore.
  inside_sh 'ls /var/backups/croupier | grep ^base-' | tail -n 1 | tee "$state/base"
}

restore_moment() {
  local moment before sent restored earlier
  earlier=$(stored_events croupier)
  start_traffic moment "$public"
  more_traffic moment 20
  moment=$(psql_in postgres 'select clock_timestamp()')
  more_traffic moment 50
  without_worker
  restore_cluster "s/2026-05-04 12:00:00\+00/$moment/"
  # Before Croupier starts again, nothing else can be stored.
  restored=$(($(stored_events croupier) - earlier))
  finish_restore
  local at
  at=$(date --date="$moment" +%s%3N)
  before=$(awk -v at="$at" '$3 <= at' "$(list_of moment)" | wc -l)
  sent=$(awk -v at="$at" '$2 <= at' "$(list_of moment)" | wc -l)
  figure "$before payments answered 200 before the moment, $sent sent before it, $restored restored"
  [ "$restored" -ge "$before" ] && [ "$restored" -le "$sent" ]
}

# restore_cluster SED: replaces the data folder of PostgreSQL with the base backup and waits for the end of the recovery.
restore_cluster() {
  run_block 'Backup and restore' restore_command "s|base-2026-05-04|$(cat "$state/base")|; $1"
  until_ok 120 is_recovered
}
is_recovered() { [ "$(psql_in postgres 'select pg_is_in_recovery()' 2>/dev/null)" = f ]; }

finish_restore() {
  run_block 'Backup and restore' 'alter system reset'
  wait_ready
}

restore_everything() {
  local before after
  # PostgreSQL does not archive the files of the old folder, so the guide asks for a new base backup.
  run_block 'Backup and restore' 'date +%F-%H%M'
  # Its name ends with the time.
  inside_sh 'ls /var/backups/croupier | grep -E "^base-.*-[0-9]{4}$" | tail -n 1' | tee "$state/base"
  # The base backup is newer than the first restore.
  inside rm -rf "$cluster.before"
  start_traffic everything "$public"
  more_traffic everything 30
  # Croupier is stopped first, so that the events can be counted. The block of the guide stops it again.
  inside systemctl stop croupier
  before=$(stored_events croupier)
  restore_cluster '/recovery_target_time/d'
  after=$(stored_events croupier)
  figure "$before events before, $after after"
  finish_restore
  expect 'events after the restore' "$after" "$before"
}

after_everything() {
  more_traffic everything 20
  stop_traffic everything
  check_payments croupier dump moment everything
  expect 'failures of the archive' "$(psql_in postgres 'select failed_count from pg_stat_archiver')" 0
}
