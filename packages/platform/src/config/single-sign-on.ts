import Type, { type Static } from 'typebox';

/** The names of roles (console/access/roles.ts), which this stage cannot import. A test of the console compares both lists. */
export const roleNames = ['admin', 'crm', 'integrator', 'compliance', 'support', 'analyst', 'viewer'] as const;

const strict = { additionalProperties: false };

/** Single sign-on of the console with one provider of OpenID Connect. */
export const singleSignOnSchema = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 60,
      default: 'single sign-on',
      description: 'Name of the provider on the sign-in page: Sign in with <name>.',
    }),
    issuer: Type.String({
      pattern: '^(https://|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])([:/]|$))',
      description:
        'Issuer of the provider. `<issuer>/.well-known/openid-configuration` describes it. It must be https, except on this machine. Register `<public_url>/console/sign-in/answer` there as redirect URI, and `<public_url>/console/sign-in` as post-logout redirect URI.',
    }),
    client_id: Type.String({ minLength: 1, description: 'Client id that the provider gave to this installation.' }),
    client_secret: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Client secret. Omit it for a public client; PKCE is always used.',
      }),
    ),
    scopes: Type.String({
      minLength: 1,
      default: 'openid profile email',
      description: 'Scopes of the sign-in, separated by spaces. Add the one that your provider needs to send groups.',
    }),
    groups_claim: Type.String({
      minLength: 1,
      default: 'groups',
      description: 'Claim with the groups of the person, in the ID token or from the userinfo endpoint.',
    }),
    roles: Type.Record(
      Type.String(),
      Type.Array(
        Type.Object({ brand: Type.Union([Type.String(), Type.Null()]), role: Type.Enum([...roleNames]) }, strict),
      ),
      {
        default: {},
        description:
          'Roles by group: {crm-team: [{brand: malta, role: crm}], admins: [{brand: null, role: admin}]}; null means every brand. If set, each sign-in replaces the roles of the account, and a person without a matching group is refused. If empty, administrators give roles in the console.',
      },
    ),
    create_accounts: Type.Boolean({
      default: false,
      description: 'Creates an account at the first sign-in of a person with a verified e-mail and a group of `roles`.',
    }),
    trust_emails: Type.Boolean({
      default: false,
      description:
        'Treats every e-mail of the provider as verified. Set this only if people cannot choose their e-mail there and the provider sends no `email_verified`, as Microsoft Entra ID does for your own domain.',
    }),
    second_factor_acr: Type.Array(Type.String(), {
      default: [],
      description:
        'Values of the claim `acr` that prove a second factor. The value mfa in the claim `amr` always proves one. Without such a proof, the console asks for the second factor of the account.',
    }),
    required: Type.Boolean({
      default: false,
      description: 'If true, passwords are refused at sign-in. To allow passwords again, set false and restart.',
    }),
  },
  strict,
);

export type SingleSignOnSettings = Static<typeof singleSignOnSchema>;
