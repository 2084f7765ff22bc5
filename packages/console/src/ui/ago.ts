import { useLanguage } from '../text/text.tsx';

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns the elapsed time in the largest unit that fits, such as `3 hours ago`. Pure. */
export function agoText(at: string, now: number, language: string): string {
  const seconds = Math.round((Date.parse(at) - now) / 1_000);
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

export function useAgo(): (at: string) => string {
  const { language } = useLanguage();
  return (at) => agoText(at, Date.now(), language);
}
