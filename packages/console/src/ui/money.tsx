import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { brandsQuery } from '../api/queries.ts';
import { useLanguage } from '../text/text.tsx';
import { numberFormat } from './formats.ts';
import { useBrand } from './page.tsx';

/**
 * Adds the separators of the language to the platform's decimal text. A fraction is shown with at least two digits.
 * Pure and exact.
 */
export function moneyText(amount: string, currency: string, language: string): string {
  const fraction = /\.(\d*)$/.exec(amount)?.[1]?.length ?? 0;
  // The decimal text is formatted digit by digit, because a number would round it.
  const shown = numberFormat(language, {
    minimumFractionDigits: fraction === 0 ? 0 : Math.max(2, fraction),
    maximumFractionDigits: Math.max(2, fraction),
  }).format(amount as unknown as number);
  return currency === '' ? shown : `${shown} ${currency}`;
}

/**
 * Does the same as `moneyText`, but rounds to cents. Amounts in the base currency are often converted, and have up to 8
 * decimal places. An amount below one cent is not rounded, because it must not look like 0. Pure.
 */
export function roundedMoneyText(amount: string, currency: string, language: string): string {
  const [, whole = '', fraction = ''] = /^-?(\d+)(?:\.(\d*))?$/.exec(amount) ?? [];
  const isBelowCent = /^0*$/.test(whole) && fraction.startsWith('00');
  if (fraction.length <= 2 || isBelowCent) return moneyText(amount, currency, language);
  const format = numberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${format.format(amount as unknown as number)} ${currency}`.trimEnd();
}

/** Returns the base currency of the brand. It is empty until the brand is loaded. */
export function useBaseCurrency(): string {
  const brand = useBrand();
  const brands = useQuery(brandsQuery);
  return brands.data?.items.find(({ code }) => code === brand)?.base_currency ?? '';
}

interface MoneyProps {
  of: string | null | undefined;
  /** The currency of the amount. Default: the base currency of the brand. Null means that the amount has no currency. */
  currency?: string | null | undefined;
  /** Whether gains and losses are colored. */
  isResult?: boolean;
}

/**
 * Shows an amount with its currency. In the base currency, the amount is rounded to cents, and its title contains the
 * exact amount.
 */
export function Money({ of, currency, isResult = false }: MoneyProps) {
  const { language } = useLanguage();
  const base = useBaseCurrency();
  if (of == null) return <>–</>;
  const tone = !isResult || Number(of) === 0 ? undefined : Number(of) < 0 ? 'bad' : 'good';
  const shownIn = currency === undefined ? base : (currency ?? '');
  const exact = moneyText(of, shownIn, language);
  const shown = shownIn === base ? roundedMoneyText(of, shownIn, language) : exact;
  return (
    <Text span size="sm" className="nowrap" data-tone={tone} {...(shown !== exact && { title: exact })}>
      {shown}
    </Text>
  );
}
