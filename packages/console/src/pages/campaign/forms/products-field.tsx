import { TagsInput } from '@mantine/core';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useField } from '../draft/editing.ts';
import type { Place } from '../draft/edits.ts';

/** Suggested names of consent policies. The user can also type other names. */
export const knownProducts = ['casino', 'betting', 'lottery', 'poker', 'bingo'];

/** The products that a campaign or a bonus is about. */
export function ProductsField({ place, description }: { place: Place; description: string }) {
  const words = useWords(campaignEditor);
  const { value, set, error, disabled } = useField(place);
  return (
    <TagsInput
      label={words.products}
      description={description}
      data={knownProducts}
      value={Array.isArray(value) ? value.map(String) : []}
      error={error}
      disabled={disabled}
      onChange={(products) => set(products.length === 0 ? undefined : products)}
    />
  );
}
