import { useLanguage } from '../text/text.tsx';
import { numberFormat } from './formats.ts';

const pattern = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const units = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;

/** Returns an ISO 8601 duration in words: P1DT12H is "1 day 12 hours". Other text is returned unchanged. */
export function durationWords(text: string, language: string): string {
  const parts = pattern.exec(text)?.slice(1) ?? [];
  const words = parts.flatMap((count, place) => {
    const unit = units[place];
    if (count === undefined || unit === undefined) return [];
    return numberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Number(count));
  });
  return words.join(' ') || text;
}

export function useDurationWords(): (text: string) => string {
  const { language } = useLanguage();
  return (text) => durationWords(text, language);
}
