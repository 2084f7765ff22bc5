/** A mobile number in E.164 (`+35699123456`), or the reason why there is none. */
export type MobileNumber = { e164: string } | { problem: 'no_number' | 'bad_number' };

/**
 * Converts the operator's details to E.164. A number that begins with + or 00 is complete; any other needs the prefix, and
 * loses the zero that callers dial within its country. Pure.
 */
export function mobileNumber(prefix: string | null, mobile: string | null): MobileNumber {
  const written = plain(mobile);
  if (written === '') return { problem: 'no_number' };
  // `+49 (0)171 1234567`: the zero in brackets is dialled within the country only.
  const international = afterPrefix(plain(mobile?.replace('(0)', '') ?? null));
  if (international !== null) return checked(international);
  const country = plain(prefix);
  const code = afterPrefix(country) ?? country;
  if (code === '') return { problem: 'bad_number' };
  return checked(`${code}${written.replace(/^0/, '')}`);
}

/** Numbers often contain spaces, dots, dashes, slashes and brackets between digits. */
function plain(text: string | null): string {
  return (text ?? '').replace(/[\s().\-/\u00a0]/g, '');
}

function afterPrefix(text: string): string | null {
  if (text.startsWith('+')) return text.slice(1);
  return text.startsWith('00') ? text.slice(2) : null;
}

/** E.164: at most 15 digits; the country code does not begin with zero. */
function checked(digits: string): MobileNumber {
  return /^[1-9]\d{7,14}$/.test(digits) ? { e164: `+${digits}` } : { problem: 'bad_number' };
}
