export type { RuleProblem } from './builder-context.ts';
export type { CatalogueField } from './catalogue.ts';
export { DurationInput } from './duration-input.tsx';
export { germanConditions, germanField, germanSentence } from './german.ts';
export { RuleBuilder } from './rule-builder.tsx';
export { type Branch, isDrawable } from './tree.ts';
