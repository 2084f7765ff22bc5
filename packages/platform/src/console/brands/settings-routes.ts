import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { brandSettingsSchema, changeBrand, createBrand } from '../../brands/index.ts';
import { transaction } from '../../database/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { changedSettings } from './changed-settings.ts';
import { refuseChange } from './refuse-change.ts';
import { BrandShown, presentBrand } from './routes.ts';

const strict = { additionalProperties: false };
const Part = (description: string) =>
  Type.Optional(Nullable({ ...Type.Record(Type.String(), Type.Unknown()), description } as ReturnType<typeof anyPart>));
const anyPart = () => Type.Record(Type.String(), Type.Unknown());

const Name = Type.String({ minLength: 1, maxLength: 200 });

export const createBrandEndpoint = endpoint({
  method: 'POST',
  path: '/brands',
  tag: 'Brands',
  summary: 'Create a brand',
  description:
    'Omitted settings get their defaults. The answer lists all errors. Every process knows the brand within a second. Next, create an API key, and set the operator with `PUT settings`. The code cannot be changed. The base currency and the time zone cannot be changed once the brand has players. If the configuration file declares a brand with this code later, the file replaces the settings.',
  may: 'brand.create',
  conflict: 'Another brand has this code',
  body: Type.Object(
    {
      code: Type.String({
        maxLength: 200,
        description: 'Up to 32 lower-case letters, digits and `-`. Part of URLs, and the value of `window.crmbrand`',
        examples: ['malta'],
      }),
      name: Name,
      settings: Type.Optional(anyPart()),
    },
    strict,
  ),
  status: 201,
  answer: BrandShown,
});

export const changeBrandEndpoint = endpoint({
  method: 'PUT',
  path: '/brands/:brand/settings',
  tag: 'Brands',
  summary: 'Change settings of a brand, its operator, its mail server and its test user',
  description:
    'Omitted settings and secrets keep their values. A given setting is replaced as a whole. null removes the operator, the mail server or the test user. The answer lists all errors. A change takes effect within a second. The configuration guide lists every setting.',
  may: 'brand.manage',
  conflict:
    'The brand is declared in the configuration file and must be changed there; or the base currency or time zone would change although the brand has players; or the credentials of the brand cannot be read',
  params: BrandParams,
  body: Type.Object(
    {
      name: Type.Optional(Name),
      settings: Type.Optional(anyPart()),
      operator: Part('base_url, auth and the other settings of `operator`'),
      email: Part('host, port, from_address and the other settings of `email`'),
      test_user: Part('user_id, sid, in_production'),
    },
    { ...strict, minProperties: 1 },
  ),
  status: 200,
  answer: BrandShown,
});

export const settingsSchemaEndpoint = endpoint({
  method: 'GET',
  path: '/brand-settings',
  tag: 'Brands',
  summary: 'Every setting of a brand: its meaning, limits and default',
  may: 'signed in',
  status: 200,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['quiet_hours.from'] }),
        description: Type.String(),
        default: Type.Unknown(),
        schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of its values' }),
      }),
    ),
  }),
});

interface Described extends TSchema {
  description?: string;
  default?: unknown;
  properties?: Record<string, Described>;
}

/** One entry for each setting. An object has one entry for each of its parts. Pure. */
function listed(
  properties: Record<string, Described>,
  below = '',
): {
  name: string;
  description: string;
  default: unknown;
  schema: Record<string, unknown>;
}[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${below}${key}`;
    if (schema.properties !== undefined) return listed(schema.properties, `${name}.`);
    const { description = '', default: standard = null, ...rest } = schema;
    return [{ name, description, default: standard, schema: rest as Record<string, unknown> }];
  });
}

const settings = listed(brandSettingsSchema.properties as unknown as Record<string, Described>);

/** Reads and changes the settings of a brand. */
export function brandSettingsRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, brands, push } = deps;

  serve(app, settingsSchemaEndpoint, async () => ({ items: settings }));

  serve(app, createBrandEndpoint, async ({ access, body }) => {
    const brandId = await transaction(pool, async (tx) => {
      const brand_id = await createBrand(tx, push.vault, body);
      const { code, name, settings = {} } = body;
      await record(
        deps,
        access,
        { action: 'brand.created', brand: { brand_id }, subject: `brand ${code}`, details: { name, after: settings } },
        tx,
      );
      return brand_id;
    }).catch(refuseChange);
    await brands.refresh();
    const brand = brands.byId(brandId);
    if (brand === undefined) throw new Error(`brand ${body.code} was created and is unknown`);
    return presentBrand(pool, brand);
  });

  serve(app, changeBrandEndpoint, async ({ access, brand, body }) => {
    await transaction(pool, async (tx) => {
      await changeBrand(tx, push.vault, brand.code, body);
      const { settings: named = {}, ...parts } = body;
      const subject = [...Object.keys(named), ...Object.keys(parts)].join(', ');
      // The audit records settings with their former values. For parts with secrets, it records only that they changed.
      const details = changedSettings(brand.settings, named);
      await record(deps, access, { action: 'brand.changed', brand, subject: `settings ${subject}`, details }, tx);
    }).catch(refuseChange);
    await brands.refresh();
    return presentBrand(pool, brands.byId(brand.brand_id) ?? brand);
  });
}
