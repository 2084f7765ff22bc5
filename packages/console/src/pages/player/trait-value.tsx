import { useLanguage } from '../../text/text.tsx';
import { Moment, useDayText, useDuration, useNumber } from '../../ui/values.tsx';
import { CampaignLink } from '../campaign-link.tsx';
import { decimalText } from './trait-decimal.ts';

export interface Trait {
  value: unknown;
  unit: string;
}

/** Whether a trait has no value, or the value zero. */
export const isNothing = ({ value }: Trait): boolean =>
  value === null || value === 0 || value === '0' || (typeof value === 'object' && Object.keys(value).length === 0);

interface TraitValueProps {
  trait: Trait;
  /** Rounds amounts and ratios (trait-decimal.ts). By default, they are exact. */
  isRounded?: boolean;
}

/** The value of a trait, in its unit. */
export function TraitValue({ trait, isRounded = false }: TraitValueProps) {
  const { value, unit } = trait;
  const number = useNumber();
  const duration = useDuration();
  const dayText = useDayText();
  const { language } = useLanguage();
  const decimal = decimalText(trait, language, isRounded);
  if (decimal !== undefined) return <>{decimal}</>;
  if (value === null) return <>–</>;
  if (unit === 'timestamp') return <Moment at={String(value)} />;
  if (unit === 'seconds' && typeof value === 'number') return <>{duration(value)}</>;
  if (typeof value === 'number') return <>{number(value)}</>;
  if (typeof value === 'object') {
    return (
      <>
        {Object.entries(value)
          .map(([name, part]) => `${name}: ${part}`)
          .join(', ')}
      </>
    );
  }
  return <>{value === true ? '✓' : value === false ? '✗' : dayText(String(value))}</>;
}

/** The value of a trait that counts by campaign, with the names of the campaigns. */
export function ByCampaign({ counts }: { counts: object }) {
  const number = useNumber();
  return Object.entries(counts).map(([code, count], place) => (
    <span key={code}>
      {place > 0 && ', '}
      <CampaignLink code={code} />: {number(Number(count))}
    </span>
  ));
}
