import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { brandsQuery } from '../api/queries.ts';
import { useLanguage } from '../text/text.tsx';
import { useBrand } from './page.tsx';

/** Pure. Exact: the platform's decimal text is only given the separators of the language, and two digits at least where it has a fraction. */
export function moneyText(amount: string, currency: string, language: string): string {
  const fraction = /\.(\d*)$/.exec(amount)?.[1]?.length ?? 0;
  // A decimal text is formatted digit by digit; a number would round it.
  const shown = new Intl.NumberFormat(language, {
    minimumFractionDigits: fraction === 0 ? 0 : Math.max(2, fraction),
    maximumFractionDigits: Math.max(2, fraction),
  }).format(amount as unknown as number);
  return currency === '' ? shown : `${shown} ${currency}`;
}

/** The currency in which a brand's amounts are added up; empty until it is known. */
export function useBaseCurrency(): string {
  const brand = useBrand();
  const brands = useQuery(brandsQuery);
  return brands.data?.items.find(({ code }) => code === brand)?.base_currency ?? '';
}

interface MoneyProps {
  of: string | null | undefined;
  /** Default: the base currency of the brand. Null: the amount has none. */
  currency?: string | null | undefined;
  /** Gains and losses have a colour. */
  isResult?: boolean;
}

/** An amount with its currency. */
export function Money({ of, currency, isResult = false }: MoneyProps) {
  const { language } = useLanguage();
  const base = useBaseCurrency();
  if (of == null) return <>–</>;
  const tone = !isResult || Number(of) === 0 ? undefined : Number(of) < 0 ? 'bad' : 'good';
  return (
    <Text span size="sm" className="nowrap" data-tone={tone}>
      {moneyText(of, currency === undefined ? base : (currency ?? ''), language)}
    </Text>
  );
}
