import type { Draft } from './draft/edits.ts';

const files = import.meta.glob<Draft>('../../../../../recipes/campaigns/*.json', { eager: true, import: 'default' });

/** Campaigns that can be used as templates for new campaigns. */
export const recipes: readonly Draft[] = Object.values(files);
