import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { brandSettingsSchema } from '../../brands/index.ts';
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

export const showBrand = endpoint({
  method: 'GET',
  path: '/brands/:brand',
  tag: 'Brands',
  summary: 'One brand with its settings, without credentials',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    code: Type.String(),
    name: Type.String(),
    declared: Type.Boolean(),
    settings: brandSettingsSchema,
    operator: Nullable(
      Type.Object({
        base_url: Type.String(),
        auth: Type.Enum(['api_key', 'basic', 'oauth2'], { description: 'Authentication scheme, without credentials' }),
        idempotent_bonus: Type.Boolean(),
        bonus_500: Type.String(),
      }),
    ),
    test_user_id: Nullable(Type.String()),
    test_user_in_production: Type.Boolean({ description: 'Whether the test user may sign in if public_url is https' }),
    takes_jwts: Type.Boolean({ description: 'Players are authenticated by JWTs, not by session ids' }),
    email: Nullable(
      Type.Object({
        host: Type.String(),
        port: Type.Integer(),
        security: Type.Enum(['starttls', 'tls', 'none']),
        from_address: Type.String(),
        dkim: Nullable(Type.Object({ domain: Type.String(), selector: Type.String() })),
      }),
    ),
  }),
});

export function brandRoutes(app: FastifyInstance, { brands }: ConsoleDeps): void {
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
      })),
    next: null,
  }));

  serve(app, showBrand, async ({ brand }) => {
    const { code, name, declared, settings, operator, test_user, site_jwt, email } = brand;
    return {
      code,
      name,
      declared,
      settings,
      operator: operator && {
        base_url: operator.base_url,
        auth: operator.auth.type,
        idempotent_bonus: operator.idempotent_bonus,
        bonus_500: operator.bonus_500,
      },
      test_user_id: test_user?.user_id ?? null,
      test_user_in_production: test_user?.in_production ?? false,
      takes_jwts: site_jwt !== null,
      email: email && {
        host: email.host,
        port: email.port,
        security: email.security,
        from_address: email.from_address,
        dkim: email.dkim === undefined ? null : { domain: email.dkim.domain, selector: email.dkim.selector },
      },
    };
  });
}
