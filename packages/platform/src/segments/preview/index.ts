/** Front door of the room preview of the stage segments: how many players a rule selects, without making a segment; see README.md. */
export { previewBudgetMs, type RulePreview, type RulePreviewed, RulePreviews } from './previews.ts';
export { PreviewsBusy } from './turns.ts';
