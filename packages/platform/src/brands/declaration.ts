import Type, { type TSchema } from 'typebox';
import { Compile, type Validator, Value } from '../schema-check.ts';
import { contactErrors, isZone } from './contact-settings.ts';
import { explain, type SettingError } from './setting-error.ts';
import {
  type BrandSettings,
  brandSettingsSchema,
  type EmailSettings,
  emailSchema,
  type OperatorAuth,
  type OperatorSettings,
  operatorAuthSchemas,
  operatorFields,
  type SiteJwt,
  siteJwtSchema,
  type TestUser,
  testUserSchema,
} from './settings.ts';
import { traitNameErrors } from './trait-names.ts';

/** A brand as declared: an entry of the configuration file, or a body of the console API. */
export interface BrandDeclaration {
  code: string;
  name: string;
  settings: BrandSettings;
  operator: OperatorSettings | null;
  test_user: TestUser | null;
  site_jwt: SiteJwt | null;
  email: EmailSettings | null;
  api_keys: { name: string; key: string }[];
}

const keySchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    key: Type.String({ minLength: 1, maxLength: 512 }),
  },
  { additionalProperties: false },
);

const declarationSchema = Type.Object(
  {
    code: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$' }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    ...brandSettingsSchema.properties,
    api_keys: Type.Array(keySchema, { default: [] }),
    operator: Type.Optional(Type.Unknown()),
    test_user: Type.Optional(testUserSchema),
    site_jwt: Type.Optional(siteJwtSchema),
    email: Type.Optional(emailSchema),
  },
  { additionalProperties: false },
);

/** The fields of a declared brand with those of its operator, to find the types of settings. */
export const declaredFields = { ...declarationSchema.properties, operator: { properties: operatorFields } };

const operatorWithout = Type.Object({ ...operatorFields, auth: Type.Unknown() }, { additionalProperties: false });
const authKind = Type.Object({ type: Type.Enum(Object.keys(operatorAuthSchemas)) });

const validators = new Map<TSchema, Validator>();

/** Adds the defaults, validates, and collects the errors. */
function read<T>(schema: TSchema, value: unknown, path: string, errors: SettingError[]): T {
  const filled = Value.Default(schema, structuredClone(value));
  if (!isValid(schema, filled)) errors.push(...explain(schema, filled, path));
  return filled as T;
}

function isValid(schema: TSchema, value: unknown): boolean {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator.Check(value);
}

/** All errors together, each with its path below `path` and what to do. */
export function readDeclaration(
  value: unknown,
  path: string,
): { ok: true; declaration: BrandDeclaration } | { ok: false; errors: SettingError[] } {
  const errors: SettingError[] = [];
  type Flat = BrandSettings &
    Omit<BrandDeclaration, 'settings' | 'test_user' | 'site_jwt' | 'email'> & {
      test_user?: TestUser;
      site_jwt?: SiteJwt;
      email?: EmailSettings;
    };
  const flat = read<Flat>(declarationSchema, value, path, errors);
  const operator = flat?.operator == null ? null : readOperator(flat.operator, `${path}.operator`, errors);
  // Zones are checked despite other errors, so that one start reports everything.
  for (const zone of ['time_zone', 'zoneless_timestamps'] as const) {
    const text: unknown = flat?.[zone];
    if (typeof text === 'string' && !isZone(text)) {
      errors.push({
        path: `${path}.${zone}`,
        message: `must be an IANA zone such as Europe/Malta or UTC, not ${text}`,
      });
    }
  }
  // The values are checked again, because the list of errors has a limit and cannot prove that a value is valid.
  const areValid = (...names: (keyof BrandSettings)[]) =>
    names.every((name) => isValid(brandSettingsSchema.properties[name], flat?.[name]));
  if (areValid('quiet_hours', 'frequency_caps', 'country_time_zones')) errors.push(...contactErrors(flat, path));
  if (areValid('segmentation_traits'))
    errors.push(...traitNameErrors(flat.segmentation_traits, `${path}.segmentation_traits`));
  if (errors.length > 0) return { ok: false, errors };
  const { code, name, api_keys, operator: _, test_user = null, site_jwt = null, email = null, ...settings } = flat;
  settings.base_currency = settings.base_currency.toUpperCase();
  return { ok: true, declaration: { code, name, settings, operator, test_user, site_jwt, email, api_keys } };
}

function readOperator(value: unknown, path: string, errors: SettingError[]): OperatorSettings {
  const operator = read<Omit<OperatorSettings, 'auth'> & { auth: unknown }>(operatorWithout, value, path, errors);
  const auth = readAuth(operator?.auth, `${path}.auth`, errors);
  return { ...operator, base_url: String(operator?.base_url ?? '').replace(/\/+$/, ''), auth };
}

/** The scheme determines the fields, so the errors refer to that scheme only. */
function readAuth(value: unknown, path: string, errors: SettingError[]): OperatorAuth {
  const before = errors.length;
  const { type } = read<{ type: keyof typeof operatorAuthSchemas }>(authKind, value ?? {}, path, errors);
  if (errors.length > before) return { type: 'api_key', header: '', value: '' };
  return read<OperatorAuth>(operatorAuthSchemas[type], value, path, errors);
}
