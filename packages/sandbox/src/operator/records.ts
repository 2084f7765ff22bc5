/**
 * The answers of the operator's endpoints (docs/reference/interface.md, Resources). They are deliberately written a second time
 * here: the fake operator must not share a mistake with the platform's own schemas.
 */

export interface UserDetails {
  address: string;
  birth_date: string;
  city: string;
  country: string;
  currency: string;
  email: string;
  first_name: string;
  is_blocked: boolean;
  is_excluded: boolean;
  language: string;
  last_name: string;
  mobile: string;
  mobile_prefix: string;
  origin: string;
  postal_code: string;
  roles: string[];
  sex: string;
  title: string;
  user_id: string;
  username: string;
  verified_at?: string;
  registration_code: string;
  registration_date?: string;
  affiliate_reference: string;
  market: string;
  segmentation?: Record<string, string | number | boolean>;
}

export const consentTypes = ['Email', 'SMS', 'Telephone', 'PostMail', 'SiteNotification', 'PushNotification'] as const;
export type ConsentType = (typeof consentTypes)[number];

export interface ConsentItem {
  type: string;
  opted_in: boolean;
}

export interface BlockItem {
  type: string;
  active: boolean;
  note: string;
}

/** Hundredths of the wallet's currency, so that sums stay exact. */
export interface Wallet {
  currency: string;
  real: number;
  bonus: number;
}

/** One player in the operator's own records. Never changed in place: a change stores a new object. */
export interface OperatorPlayer {
  details: UserDetails;
  consents: ConsentItem[];
  blocks: BlockItem[];
  wallet: Wallet;
}

/** The nine fields of POST /reconciliation (docs/reference/interface.md, Endpoints A, rule 6). */
export const reconciliationFields = [
  'blocked',
  'excluded',
  'active',
  'consent_email',
  'consent_sms',
  'consent_telephone',
  'consent_post_mail',
  'consent_site_notification',
  'consent_push_notification',
] as const;
export type ReconciliationField = (typeof reconciliationFields)[number];

export interface BonusOffer {
  bonus_code: string;
  text: string;
}
