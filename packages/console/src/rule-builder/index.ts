export type { RuleProblem } from './builder-context.ts';
export { type CatalogField, namedField } from './catalog.ts';
export { DurationInput } from './duration-input.tsx';
export { withEventWords } from './event-words.ts';
export { germanCondition, germanConditions, germanField, germanSentence } from './german.ts';
export { RuleBuilder } from './rule-builder.tsx';
export { segmentsIn, withSegmentNames } from './segment-names.ts';
export { type Branch, type Condition, isDrawable, nodeAt } from './tree.ts';
