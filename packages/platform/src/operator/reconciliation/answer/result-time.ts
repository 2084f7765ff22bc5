import { fromLocalTime, type Micros, readTimestampText } from '@croupier/contracts';
import { UnusableResult } from './result-reader.ts';

/** Maximum by which the operator's clock may be ahead. Events have the same limit, above which they are flagged. */
const maxAhead: Micros = 5 * 60_000_000;
/** 48 hours, because some operators answer from a nightly copy of their records. An older result is refused. */
const maxAge: Micros = 48 * 3_600_000_000;

/** The time for which a result is valid: by the operator's clock, and for the comparison. */
export interface ResultTime {
  result_timestamp: Micros;
  /**
   * Facts newer than this are not compared. It is never later than the call, because the list may lack what happened while the
   * operator created it, and some operators set the time only at the end. So an operator's clock that is ahead does no harm.
   */
  as_of: Micros;
}

/**
 * @param written the field `timestamp`. Without an offset it is read in the brand's zone for such timestamps
 * (docs/reference/decisions.md 1).
 * @param about.last `as_of` of the field's last applied result. An older result would undo what that one corrected.
 * @throws {UnusableResult}
 */
export function timeOfResult(
  written: string,
  about: { asked_at: Micros; now: Micros; zone: string; last: Micros | null },
): ResultTime {
  const read = readTimestampText(written);
  if (read === undefined)
    throw new UnusableResult('bad_timestamp', `a string of ${written.length} characters is not a timestamp`);
  const at = read.zoned ? read.micros : fromLocalTime(about.zone, read.micros).at;
  if (at > about.now + maxAhead)
    throw new UnusableResult('future_timestamp', `${written} is more than 5 minutes ahead of the platform's clock`);
  if (at < about.asked_at - maxAge)
    throw new UnusableResult('old_timestamp', `${written} is more than 48 hours before the request`);
  if (about.last !== null && at < about.last)
    throw new UnusableResult('old_timestamp', `${written} is before the last applied result of this field`);
  return { result_timestamp: at, as_of: Math.min(at, about.asked_at) };
}
