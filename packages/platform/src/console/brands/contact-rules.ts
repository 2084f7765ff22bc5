import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import {
  brandSettingsSchema,
  type ContactRules,
  changeBrand,
  contactRules,
  contactRulesOf,
} from '../../brands/index.ts';
import { transaction } from '../../database/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { changedSettings } from './changed-settings.ts';
import { refuseChange } from './refuse-change.ts';

const { properties } = brandSettingsSchema;
const path = '/brands/:brand/contact-rules';
const tag = 'Brands';

const Rules = Type.Unsafe<ContactRules>(
  Type.Object(Object.fromEntries(contactRules.map((name) => [name, properties[name]]))),
);

/** No rule has a default here, because an omitted rule stays unchanged. */
const Change = Type.Unsafe<Partial<ContactRules>>(
  Type.Object(Object.fromEntries(contactRules.map((name) => [name, Type.Optional(withoutDefault(properties[name]))])), {
    additionalProperties: false,
    minProperties: 1,
  }),
);

function withoutDefault({ default: _, ...schema }: TSchema & { default?: unknown }): TSchema {
  return schema as TSchema;
}

export const readContactRulesEndpoint = endpoint({
  method: 'GET',
  path,
  tag,
  summary: 'The rules of contact of a brand',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Rules,
});

export const writeContactRulesEndpoint = endpoint({
  method: 'PUT',
  path,
  tag,
  summary: 'Change rules of contact. Omitted rules keep their values',
  description:
    'Takes effect within a second, also for held contacts: quiet hours are checked again when they end. The audit records the given rules with their former values.',
  may: 'channel.manage',
  conflict: 'The brand is declared in the configuration file. Change it there',
  params: BrandParams,
  body: Change,
  status: 200,
  answer: Rules,
});

export function contactRuleRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, brands, push } = deps;
  serve(app, readContactRulesEndpoint, async ({ brand }) => contactRulesOf(brand.settings));

  serve(app, writeContactRulesEndpoint, async ({ access, brand, body }) => {
    await transaction(pool, async (tx) => {
      await changeBrand(tx, push.vault, brand.code, { settings: body });
      const subject = `contact rules ${Object.keys(body).join(', ')}`;
      const details = changedSettings(brand.settings, body);
      await record(deps, access, { action: 'brand.contact_rules_changed', brand, subject, details }, tx);
    }).catch((error: unknown) => refuseChange(error, 'settings.'));
    await brands.refresh();
    return contactRulesOf(brands.byId(brand.brand_id)?.settings ?? brand.settings);
  });
}
