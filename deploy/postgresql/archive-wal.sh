#!/bin/sh
# Archives one file of PostgreSQL's write-ahead log: sh archive-wal.sh <file> <copy>
#
# Use it as `archive_command`. PostgreSQL may pass a file again, for example after a crash, and retries a file until this script
# exits with 0.
# - A copy with the same contents counts as archived. A copy with other contents is never replaced.
# - The copy gets its name only when it is complete and on disk, so the archive never contains half a file.
set -eu
file=$1
copy=$2
folder=$(dirname "$copy")

if [ -e "$copy" ]; then
  if ! cmp "$file" "$copy"; then
    echo "$copy exists with other contents. Does another server archive to this folder?" >&2
    exit 1
  fi
else
  # This overwrites what an interrupted attempt left behind. No restore reads this name.
  cp "$file" "$copy.unfinished"
  sync "$copy.unfinished"
  mv "$copy.unfinished" "$copy"
fi
# An earlier attempt may have been interrupted before the folder was on disk.
sync "$copy" "$folder"
