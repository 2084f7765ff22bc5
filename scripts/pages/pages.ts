import { traitsGuide } from '../../packages/platform/src/derive/traits/guide.ts';
import { segmentsGuide } from '../../packages/platform/src/segments/fields/guide.ts';
import { fieldsPage } from './fields.ts';

/** The generated pages of docs/, with their generators. */
export const pages: Readonly<Record<string, () => string>> = {
  'docs/guides/segments.md': segmentsGuide,
  'docs/guides/traits.md': traitsGuide,
  'docs/reference/fields.md': fieldsPage,
};
