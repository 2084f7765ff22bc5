import { blockTypes, consentTypes, type ReconciliationField } from '@croupier/contracts';

/*
 * The subject of each of the nine fields (docs/reference/interface.md, Endpoints A, rule 6).
 *
 *   blocked, excluded   a block type, and the corresponding flag of the details
 *   consent_*           a consent type
 *   active              neither blocked nor excluded; compared and reported only (docs/reference/decisions.md 4)
 */
export type FieldSubject = BlockSubject | ConsentSubject | { about: 'active' };
export interface BlockSubject {
  about: 'block';
  type: (typeof blockTypes)[number];
  flag: 'is_blocked' | 'is_excluded';
}
export interface ConsentSubject {
  about: 'consent';
  type: (typeof consentTypes)[number];
}

const [excluded, blocked] = blockTypes;
const [email, sms, telephone, postMail, siteNotification, pushNotification] = consentTypes;

export const blockedSubject: BlockSubject = { about: 'block', type: blocked, flag: 'is_blocked' };
export const excludedSubject: BlockSubject = { about: 'block', type: excluded, flag: 'is_excluded' };

const subjects: Record<ReconciliationField, FieldSubject> = {
  blocked: blockedSubject,
  excluded: excludedSubject,
  active: { about: 'active' },
  consent_email: { about: 'consent', type: email },
  consent_sms: { about: 'consent', type: sms },
  consent_telephone: { about: 'consent', type: telephone },
  consent_post_mail: { about: 'consent', type: postMail },
  consent_site_notification: { about: 'consent', type: siteNotification },
  consent_push_notification: { about: 'consent', type: pushNotification },
};

export function subjectOf(field: ReconciliationField): FieldSubject {
  return subjects[field];
}
