import { NumberInput, TagsInput } from '@mantine/core';
import { bulk } from '../../text/bulk.ts';
import { useWords } from '../../text/text.tsx';
import { NamedSelect } from '../../ui/named/named-select.tsx';
import { knownProducts } from '../campaign/forms/products-field.tsx';
import type { Terms } from './terms.ts';

interface TermsFieldsProps {
  terms: Terms;
  change(to: Partial<Terms>): void;
}

/** The fields of the terms that messages and offers have in common, except the expiry. */
export function TermsFields({ terms, change }: TermsFieldsProps) {
  const { order: words } = useWords(bulk);
  return (
    <>
      <TagsInput
        label={words.products}
        description={words.productsHint}
        data={knownProducts}
        value={terms.products}
        onChange={(products) => change({ products })}
      />
      <NamedSelect
        list="campaigns"
        label={words.campaign}
        description={words.campaignHint}
        clearable
        value={terms.campaign === '' ? null : terms.campaign}
        onChange={(campaign) => change({ campaign: campaign ?? '' })}
      />
      <NumberInput
        label={words.pace}
        description={words.paceHint}
        required
        min={1}
        max={1000}
        allowDecimal={false}
        value={terms.pace}
        onChange={(pace) => change({ pace })}
      />
    </>
  );
}
