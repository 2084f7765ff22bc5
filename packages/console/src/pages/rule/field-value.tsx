import type { CatalogField } from '../../rule-builder/index.ts';
import { useLanguage, useText } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { numberFormat } from '../../ui/formats.ts';
import { moneyText } from '../../ui/money.tsx';
import { Moment, useDayText, useDuration } from '../../ui/values.tsx';

interface FieldValueProps {
  /** Undefined for a field that the catalog does not list, such as a segment. */
  field: Pick<CatalogField, 'kind' | 'unit'> | undefined;
  /** A value that the player has. */
  value: unknown;
}

/** A value of a field of rules, with its unit. */
export function FieldValue({ field, value }: FieldValueProps) {
  const { common } = useText();
  const { language } = useLanguage();
  const codeName = useCode();
  const duration = useDuration();
  const dayText = useDayText();
  const unit = field?.unit ?? null;
  if (value === null || value === undefined) return <>{field?.kind === 'status' ? codeName('unknown') : '–'}</>;
  if (typeof value === 'boolean') return <>{value ? common.yes : common.no}</>;
  if (Array.isArray(value)) return <>{value.join(', ')}</>;
  if (typeof value === 'object') return <>{JSON.stringify(value)}</>;
  if (field?.kind === 'moment') return <Moment at={String(value)} />;
  // A masked value is not a number.
  if (typeof value === 'string' && (field?.kind !== 'number' || !isNumber.test(value))) return <>{dayText(value)}</>;
  if (unit !== null && isCurrency.test(unit)) return <>{moneyText(String(value), unit, language)}</>;
  if (unit === 'seconds') return <>{duration(Number(value))}</>;
  // All digits are shown, because the condition next to it compares them.
  const exact = numberFormat(language, { maximumFractionDigits: 20 }).format(value as number);
  return <>{`${exact}${unit === null ? '' : ` ${codeName(unit)}`}`}</>;
}

const isNumber = /^-?\d+(?:\.\d+)?$/;
const isCurrency = /^[A-Z]{3}$/;
