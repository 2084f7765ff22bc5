/*
 * Computes with a date of birth. Days are texts of the form YYYY-MM-DD, which sort by date. In years without a
 * February 29, a person born on that day has the birthday on February 28, as in rules (packages/rules).
 */

/** Full years; null for an invalid or future date. */
export function ageOn(today: string, birth: string): number | null {
  if (!isDay(birth) || birth > today) return null;
  const years = yearOf(today) - yearOf(birth);
  return birthdayIn(yearOf(today), birth) <= today ? years : years - 1;
}

/** The birthday in any year: MM-DD. */
export function birthdayOf(birth: string): string | null {
  return isDay(birth) ? birth.slice(5) : null;
}

/** Days until the next birthday: 0 on the day itself. */
export function daysToBirthday(today: string, birth: string): number | null {
  if (!isDay(birth)) return null;
  const own = birthdayIn(yearOf(today), birth);
  const next = own >= today ? own : birthdayIn(yearOf(today) + 1, birth);
  return (Date.parse(next) - Date.parse(today)) / 86_400_000;
}

function birthdayIn(year: number, birth: string): string {
  const own = `${String(year).padStart(4, '0')}-${birth.slice(5)}`;
  return isDay(own) ? own : `${own.slice(0, 8)}28`;
}

function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
