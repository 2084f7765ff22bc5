export type { Answer, Call, Parameter, RequestBody } from './calls/call.ts';
export type { Code } from './codes/code.ts';
export { readMarket, readMobilePrefix } from './codes/contact.ts';
export { namesOfCountry, readCountry } from './codes/country.ts';
export { readCurrency } from './codes/currency.ts';
export { readLanguage } from './codes/language.ts';
export { type Endpoint, endpoints } from './endpoints.ts';
export { bonusProducts, bonusStatuses } from './events/bonus.ts';
export { type BodyOf, type EventOf, messages, type PlatformEvent } from './events/index.ts';
export { type MessageReport, messageReports } from './events/message-event.ts';
export type { FieldError } from './field-error.ts';
export { maxErrors } from './fields/field.ts';
export { canonicalJson, fingerprint } from './fingerprint.ts';
export { type Flag, flagMeanings, flags } from './flags.ts';
export {
  changesProtection,
  type EventKind,
  eventKinds,
  type OperatorEventKind,
  type OwnEventKind,
  operatorEventKinds,
  ownEventKinds,
} from './kinds.ts';
export { type DecimalReading, readDecimal } from './numbers/decimal.ts';
export type { Json, OpenApiDocument } from './openapi/document.ts';
export { type DocumentParts, openApiDocument } from './openapi/document.ts';
export { type Example, makeExamples } from './openapi/examples.ts';
export { openApi } from './openapi/index.ts';
export { problemAnswer, problemSchema } from './openapi/problem-answers.ts';
export { operatorCalls } from './operator-api/calls.ts';
export * from './operator-api/player-records.ts';
export * from './operator-api/requests.ts';
export * from './operator-api/samples.ts';
export { type BodyParsing, parseBody } from './parse-body.ts';
export { type Problem, type ProblemCode, problem, problemContentType, problems } from './problems.ts';
export { type EventReading, type ReadContext, readEvent } from './read-event.ts';
export { type Rule, ruleMeanings } from './rules.ts';
export { type SiteErrorCode, type SiteErrorKind, siteErrors } from './site-api/errors.ts';
export * from './site-api/records.ts';
export { daysBetween, plusDays } from './time/days.ts';
export { readTimestampText, type WrittenTime } from './time/timestamp-text.ts';
export { dayOf, fromLocalTime, isZone, type LocalTime, zoneOffsetMinutes } from './time/zones.ts';
export { type Validator, validator } from './validator.ts';
export type { DecimalText, Micros } from './values.ts';
