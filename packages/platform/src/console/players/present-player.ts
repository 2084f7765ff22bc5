import type { Language } from '../../language.ts';
import type { Block, Consent, PlayerSync, Profile, SyncError } from '../../operator/players/index.ts';
import { maskProfile, maskText } from '../access/masking.ts';
import { errorsIn, inLanguage } from '../language/translate.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';

/** The operator stage's data about a player, in the form of the API: times as text, personal data masked or not. */

export function presentProfile(profile: Profile, unmasked: boolean) {
  const { as_of, source, older, in_doubt, verified_at, registration_date, ...fields } = profile;
  const details = {
    ...fields,
    verified_at: momentTextOrNull(verified_at),
    registration_date: momentTextOrNull(registration_date),
  };
  return {
    ...(unmasked ? details : maskProfile(details)),
    as_of: momentTextOrNull(as_of),
    source,
    older: Object.fromEntries(Object.entries(older).map(([field, at]) => [field, momentText(at)])),
    in_doubt,
  };
}

export function presentConsent(consent: Consent) {
  return { ...consent, as_of: momentTextOrNull(consent.as_of) };
}

export function presentBlock(block: Block, unmasked: boolean) {
  return { ...block, note: unmasked ? block.note : maskText(block.note), as_of: momentTextOrNull(block.as_of) };
}

export function presentSync({ state, last_success, last_error, look_ups, problems }: PlayerSync, language: Language) {
  return {
    state,
    last_success: momentTextOrNull(last_success),
    last_error: last_error && presentError(last_error, language),
    look_ups: {
      details: presentLookUp(look_ups.details, language),
      consents: presentLookUp(look_ups.consents, language),
      blocks: presentLookUp(look_ups.blocks, language),
    },
    problems: errorsIn(problems, language).map((problem) => ({ ...problem, since: momentText(problem.since) })),
  };
}

function presentLookUp(lookUp: PlayerSync['look_ups']['details'], language: Language) {
  return {
    ...lookUp,
    as_of: momentTextOrNull(lookUp.as_of),
    due_at: momentTextOrNull(lookUp.due_at),
    failing_since: momentTextOrNull(lookUp.failing_since),
    last_error: lookUp.last_error && presentError(lookUp.last_error, language),
  };
}

function presentError(error: SyncError, language: Language) {
  return { ...error, at: momentText(error.at), detail: inLanguage(error.detail, language) };
}
