/**
 * Public interface of this folder: how many players a rule selects, and what a draft changes. See README.md.
 */
export { type Change, type DraftCompared, type DraftComparison, eachChange } from './difference.ts';
export { type ChangeName, changeNames } from './estimate.ts';
export { PreviewTooCostly, previewBudgetMs, type RulePreview, type RulePreviewed, RulePreviews } from './previews.ts';
export { PreviewsBusy } from './turns.ts';
