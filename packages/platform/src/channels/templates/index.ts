/** Public exports of templates, a part of the channels; see README.md. */
export { contentErrors } from './check.ts';
export { type Addressee, type BlockTexts, type Composed, ReadTemplate } from './compose.ts';
export { differences, type FieldDifference } from './difference.ts';
export { checkEmail, composeEmail, type EmailContent, type EmailParts, longestSubject } from './email-content.ts';
export { type Audience, findGaps, type Gap } from './gaps.ts';
export { chooseLanguage, languageTag } from './language.ts';
export { blockPage } from './mjml.ts';
export { parsedTemplate } from './parsed.ts';
export { sampleCause } from './samples.ts';
export {
  listTemplates,
  listVersions,
  readTemplate,
  readTemplates,
  readVersion,
  type TemplateRow,
  type TemplateVersion,
  templatesNaming,
} from './store.ts';
export {
  channelFields,
  type Template,
  type TemplateChannel,
  type TemplateContent,
  templateChannels,
  type WrittenFields,
} from './template.ts';
export {
  blocksOf,
  readWritten,
  removeTemplate,
  TemplateConflict,
  UnfitTemplate,
  usersOf,
  type WrittenTemplate,
  writeTemplate,
} from './templates.ts';
export { isTestPlayer } from './test-players.ts';
export { unsubscribeWord } from './unsubscribe-words.ts';
export {
  type CauseVariables,
  playersVariables,
  playerVariables,
  readPlayerVariables,
  type TemplateVariables,
  templateVariables,
} from './variables.ts';
