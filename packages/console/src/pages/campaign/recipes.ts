import type { Draft } from './draft/edits.ts';

const files = import.meta.glob<Draft>('../../../../../recipes/campaigns/*.json', { eager: true, import: 'default' });

/** Campaigns to begin from. */
export const recipes: readonly Draft[] = Object.values(files);
