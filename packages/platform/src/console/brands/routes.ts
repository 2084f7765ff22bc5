import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { Type } from 'typebox';
import {
  type Brand,
  brandSettingsSchema,
  type EmailSettings,
  hasPlayers,
  type OperatorSettings,
  operatorFields,
} from '../../brands/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { PageOf } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';

const BrandSummary = Type.Object({
  code: Type.String(),
  name: Type.String(),
  declared: Type.Boolean({ description: 'Declared in the configuration file, which overwrites it at every start' }),
  base_currency: Type.String(),
  time_zone: Type.String(),
  production: Type.Boolean({
    description:
      'Whether the installation is in production: `PUBLIC_URL` begins with https. The console then marks every page',
  }),
});

export const listBrands = endpoint({
  method: 'GET',
  path: '/brands',
  tag: 'Brands',
  summary: 'The brands at which the caller has a role',
  may: 'signed in',
  status: 200,
  answer: PageOf(BrandSummary),
});

export const BrandShown = Type.Object({
  code: Type.String(),
  name: Type.String(),
  declared: Type.Boolean({ description: 'Declared in the configuration file. Change it there' }),
  has_players: Type.Boolean({ description: 'If true, the base currency and time zone cannot be changed' }),
  settings: brandSettingsSchema,
  operator: Nullable(
    Type.Object({
      ...operatorFields,
      auth: Type.Enum(['api_key', 'basic', 'oauth2'], { description: 'Scheme. Its credentials are never shown' }),
      auth_settings: Type.Record(Type.String(), Type.String(), {
        description: 'Fields of the scheme that are not secret',
      }),
    }),
  ),
  test_user_id: Nullable(Type.String()),
  test_user_in_production: Type.Boolean({ description: 'Whether the test user can sign in if public_url is https' }),
  takes_jwts: Type.Boolean({ description: 'Players are identified by JWTs, not by session ids' }),
  email: Nullable(
    Type.Object({
      host: Type.String(),
      port: Type.Integer(),
      security: Type.Enum(['starttls', 'tls', 'none']),
      username: Type.String(),
      has_password: Type.Boolean(),
      from_address: Type.String(),
      from_name: Type.String(),
      reply_to: Type.String(),
      bounce_address: Type.String(),
      dkim: Nullable(Type.Object({ domain: Type.String(), selector: Type.String() })),
      max_connections: Type.Integer(),
      per_second: Type.Integer(),
      call_timeout_ms: Type.Integer(),
    }),
  ),
});

export const showBrand = endpoint({
  method: 'GET',
  path: '/brands/:brand',
  tag: 'Brands',
  summary: 'One brand with its settings, without credentials',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: BrandShown,
});

export function brandRoutes(app: FastifyInstance, { brands, pool, publicUrl }: ConsoleDeps): void {
  // docs/decisions/1111: an https PUBLIC_URL means production.
  const production = publicUrl.startsWith('https:');

  serve(app, listBrands, async ({ access }) => ({
    items: brands
      .all()
      .filter((brand) => access.reaches(brand))
      .map(({ code, name, declared, settings }) => ({
        code,
        name,
        declared,
        base_currency: settings.base_currency,
        time_zone: settings.time_zone,
        production,
      })),
    next: null,
  }));

  serve(app, showBrand, async ({ brand }) => presentBrand(pool, brand));
}

/** The brand in the form of the API, never with credentials. */
export async function presentBrand(pool: Pool, brand: Brand) {
  const { code, name, declared, settings, operator, test_user, site_jwt, email } = brand;
  return {
    code,
    name,
    declared,
    has_players: await hasPlayers(pool, brand.brand_id),
    settings,
    operator: operator && presentOperator(operator),
    test_user_id: test_user?.user_id ?? null,
    test_user_in_production: test_user?.in_production ?? false,
    takes_jwts: site_jwt !== null,
    email: email && presentEmail(email),
  };
}

function presentOperator({ auth, ...open }: OperatorSettings) {
  const { type } = auth;
  const shown = ['header', 'username', 'token_url', 'client_id', 'scope'];
  const entries = Object.entries(auth).filter(([field]) => shown.includes(field)) as [string, string][];
  return { ...open, auth: type, auth_settings: Object.fromEntries(entries) };
}

function presentEmail({ password, dkim, ca: _, reports: __, ...open }: EmailSettings) {
  const signing = dkim === undefined ? null : { domain: dkim.domain, selector: dkim.selector };
  return { ...open, has_password: password !== undefined, dkim: signing };
}
