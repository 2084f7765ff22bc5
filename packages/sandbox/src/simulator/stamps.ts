import type { Micros } from '@croupier/contracts';
import { IANAZone } from 'luxon';

/**
 * The ways in which operators write a time. Each form has a precision. `at` is the time that a correct parser reads from the
 * text, and the casino's books store that time, not a finer one that was never published.
 */
export interface Stamp {
  at: Micros;
  text: string;
}

export type StampForm = 'micros' | 'millis' | 'ticks' | 'nanos' | 'offset' | 'one_digit_hour' | 'zoneless';

const second = 1_000_000;
const hour = 3600 * second;
const day = 24 * hour;

export function precisionOf(form: StampForm): Micros {
  switch (form) {
    case 'millis':
      return 1000;
    case 'one_digit_hour':
    case 'zoneless':
      return second;
    default:
      return 1;
  }
}

/** Writes the time in the given form. `zone` is used only for `offset` and `zoneless`. */
export function writeStamp(moment: Micros, form: StampForm, zone: string): Stamp {
  const at = moment - (moment % precisionOf(form));
  switch (form) {
    case 'micros':
      return { at, text: `${isoMicros(at)}Z` };
    case 'millis':
      return { at, text: new Date(at / 1000).toISOString() };
    case 'ticks':
      // Tenths of a microsecond, as .NET writes them. The digit is 3, so that truncating and rounding give the same time.
      return { at, text: `${isoMicros(at)}3Z` };
    case 'nanos':
      return { at, text: `${isoMicros(at)}301Z` };
    case 'offset': {
      const minutes = offsetMinutes(zone, at);
      return { at, text: `${isoMicros(at + minutes * 60 * second)}${offsetText(minutes)}` };
    }
    case 'one_digit_hour': {
      const iso = isoMicros(at);
      return { at, text: `${iso.slice(0, 11)}${iso.slice(12, 19)}Z` };
    }
    case 'zoneless': {
      const iso = isoMicros(at + offsetMinutes(zone, at) * 60 * second);
      return { at, text: `${iso.slice(0, 10)} ${iso.slice(11, 19)}` };
    }
  }
}

/** Returns whether the form can express this time unambiguously. */
export function canWrite(moment: Micros, form: StampForm, zone: string): boolean {
  if (form === 'one_digit_hour') return (moment % day) / hour < 10;
  // Within a day of a clock change, a local time may occur twice. The text could then mean another time.
  if (form === 'zoneless' && zone !== 'UTC') {
    return offsetMinutes(zone, moment - day) === offsetMinutes(zone, moment + day);
  }
  return true;
}

/** Returns a time such as "2025-01-06T08:27:58.123456". */
function isoMicros(at: Micros): string {
  const micros = at % 1000;
  const iso = new Date((at - micros) / 1000).toISOString();
  return `${iso.slice(0, 23)}${micros < 10 ? '00' : micros < 100 ? '0' : ''}${micros}`;
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/**
 * Offsets change only on quarter hours, and a call of luxon takes microseconds, so offsets are cached per zone and quarter
 * hour.
 */
const quarter = hour / 4;
const offsets = new Map<string, Map<number, number>>();
const offsetLimit = 50_000;

export function offsetMinutes(zone: string, at: Micros): number {
  if (zone === 'UTC') return 0;
  let known = offsets.get(zone);
  if (known === undefined || known.size > offsetLimit) {
    known = new Map();
    offsets.set(zone, known);
  }
  const slot = Math.floor(at / quarter);
  let minutes = known.get(slot);
  if (minutes === undefined) {
    minutes = IANAZone.create(zone).offset((slot * quarter) / 1000);
    known.set(slot, minutes);
  }
  return minutes;
}
