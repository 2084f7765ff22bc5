import Type from 'typebox';
import { Value } from '../schema-check.ts';
import type { Vault } from './credentials.ts';
import type { BrandDeclaration } from './declaration.ts';
import {
  type Brand,
  type BrandSettings,
  brandSettingsSchema,
  type EmailSettings,
  emailSchema,
  type OperatorSettings,
  operatorFields,
  type SiteJwt,
  siteJwtSchema,
  type TestUser,
  testUserSchema,
} from './settings.ts';
import type { BrandRow } from './store.ts';

/*
 * A brand and its row in the database. Secrets are removed from the settings, encrypted, and restored when the row is
 * read:
 *
 *   settings.operator.auth   type, header, username, token_url, ...      readable with access to the table
 *   secrets                  value, password, client_secret, sid, jwt, smtp, dkim, reports   readable only with CROUPIER_SECRET
 */
const secretAuthFields = ['value', 'password', 'client_secret'];

interface Secrets {
  auth?: Record<string, unknown>;
  sid?: string;
  jwt?: string;
  smtp?: string;
  dkim?: string;
  reports?: Record<string, unknown>;
}

const secretReportFields = ['key', 'mailgun_signing_key', 'postmark_password'];

export function toRow(
  vault: Vault,
  brand: Omit<BrandDeclaration, 'api_keys'> & { declared: boolean },
): Omit<BrandRow, 'brand_id'> {
  const secrets: Secrets = {};
  const settings: BrandRow['settings'] = { ...brand.settings };
  if (brand.operator) {
    const { auth, ...rest } = brand.operator;
    const fields = Object.entries(auth);
    secrets.auth = Object.fromEntries(fields.filter(([name]) => secretAuthFields.includes(name)));
    const open = Object.fromEntries(fields.filter(([name]) => !secretAuthFields.includes(name)));
    settings.operator = { ...rest, auth: open };
  }
  if (brand.test_user) {
    const { sid, ...open } = brand.test_user;
    secrets.sid = sid;
    settings.test_user = open;
  }
  if (brand.site_jwt) {
    const { secret, ...open } = brand.site_jwt;
    secrets.jwt = secret;
    settings.site_jwt = open;
  }
  if (brand.email) {
    const { password, dkim, reports, ...open } = brand.email;
    const reported = Object.entries(reports ?? {});
    const isSecret = ([name]: [string, unknown]) => secretReportFields.includes(name);
    if (reported.some(isSecret)) secrets.reports = Object.fromEntries(reported.filter(isSecret));
    if (password !== undefined) secrets.smtp = password;
    if (dkim !== undefined) secrets.dkim = dkim.private_key;
    settings.email = {
      ...open,
      ...(dkim && { dkim: { domain: dkim.domain, selector: dkim.selector } }),
      ...(reports && { reports: Object.fromEntries(reported.filter((field) => !isSecret(field))) }),
    };
  }
  return {
    code: brand.code,
    name: brand.name,
    declared: brand.declared,
    settings,
    secrets: Object.keys(secrets).length > 0 ? vault.seal(brand.code, secrets) : null,
  };
}

/** @throws {Unreadable} if the credentials were encrypted with another secret */
export function fromRow(vault: Vault, row: BrandRow): Brand {
  const secrets = row.secrets ? (vault.open(row.code, row.secrets) as Secrets) : {};
  const { operator, test_user, site_jwt, email } = row.settings;
  return {
    ...withoutCredentials(row),
    operator: operator ? withDefaults({ ...operator, auth: { ...operator.auth, ...secrets.auth } }) : null,
    test_user: test_user ? (Value.Default(testUserSchema, { ...test_user, sid: secrets.sid }) as TestUser) : null,
    site_jwt: site_jwt ? (Value.Default(siteJwtSchema, { ...site_jwt, secret: secrets.jwt }) as SiteJwt) : null,
    email: email ? withEmailSecrets(email, secrets) : null,
  };
}

function withEmailSecrets({ dkim, reports, ...open }: Record<string, unknown>, secrets: Secrets): EmailSettings {
  const password = secrets.smtp === undefined ? {} : { password: secrets.smtp };
  const signing = typeof dkim === 'object' ? { dkim: { ...dkim, private_key: secrets.dkim } } : {};
  const reporting = typeof reports === 'object' ? { reports: { ...reports, ...secrets.reports } } : {};
  return Value.Default(emailSchema, { ...open, ...password, ...signing, ...reporting }) as EmailSettings;
}

/** Returns a brand whose credentials cannot be decrypted. It accepts events, but its operator is not called. */
export function withoutCredentials(row: BrandRow): Brand {
  const { operator: _, test_user: __, site_jwt: ___, email: ____, ...settings } = row.settings;
  return {
    brand_id: row.brand_id,
    code: row.code,
    name: row.name,
    declared: row.declared,
    // A setting of a later version is not in the row yet.
    settings: Value.Default(brandSettingsSchema, settings) as BrandSettings,
    operator: null,
    test_user: null,
    site_jwt: null,
    email: null,
  };
}

const operatorSchema = Type.Object(operatorFields);

function withDefaults(operator: Record<string, unknown>): OperatorSettings {
  return Value.Default(operatorSchema, operator) as OperatorSettings;
}
