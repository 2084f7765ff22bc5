import {
  type MarketPolicy,
  marketPolicies,
  marketPolicyOf,
  type PolicyReason,
  policyReasons,
} from '@croupier/campaigns';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { Type } from 'typebox';
import { type Brand, brandSettingsSchema, readCreatedAt } from '../../brands/index.ts';
import { selectLatestChange } from '../audit/store.ts';
import type { ConsoleDeps } from '../deps.ts';
import { type PlayersOfMarket, playersByMarket } from '../players/store.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, momentText, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';

/** The rules of a policy, in the order of the answer. */
const policyRules = ['consent_per_product', 'one_product', 'most_wagering', 'most_suppression'] as const;

interface RuleShown {
  rule: (typeof policyRules)[number];
  limit: string | null;
  reasons: PolicyReason[];
}

export const listPoliciesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/policies',
  tag: 'Compliance',
  summary: 'The market policies: their rules, and how many players of the brand each applies to',
  description:
    'Counts all players of the brand whose details are known, so call it on demand only. Decisions are listed by `decisions?reason=`.',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        market: Type.String({ examples: ['GB'] }),
        source: Type.Enum(['built_in'], { description: 'Built-in policies cannot be changed' }),
        since: Type.String({
          format: 'date-time',
          description: 'A built-in policy has applied since the brand was created',
        }),
        players: Type.Integer({ description: 'Players of the brand to whom the policy applies' }),
        rules: Type.Array(
          Type.Object({
            rule: Type.Enum([...policyRules]),
            limit: Nullable(
              Type.String({
                description: 'A number for `most_wagering`, an ISO 8601 duration for `most_suppression`, else null',
                examples: ['10', 'P2D'],
              }),
            ),
            reasons: Type.Array(Type.Enum([...policyReasons]), {
              description:
                'The reasons of decisions in which the rule withheld a contact. Empty: the rule only shows a time',
            }),
          }),
        ),
      }),
    ),
    markets: Type.Array(
      Type.Object({
        market: Nullable(Type.String({ description: 'Market of the players, or their country. Null: unknown' })),
        policy: Nullable(Type.String({ description: 'The policy that applies. Null: none' })),
        players: Type.Integer(),
      }),
      { description: 'Most players first, at most 100' },
    ),
    product_consents: Type.Object({
      items: brandSettingsSchema.properties.product_consents,
      source: Type.Enum(['configuration_file', 'settings'], { description: 'Where they are set' }),
      changed_at: Nullable(
        Type.String({ format: 'date-time', description: 'The last change in the console. Null: none' }),
      ),
      changed_by: Nullable(Type.String({ description: "E-mail of the account, or 'admin token'" })),
    }),
  }),
});

export function policyRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listPoliciesEndpoint, async ({ brand }) => {
    const counted = (await playersByMarket(pool, brand.brand_id)).map((of) => ({
      ...of,
      policy: marketPolicyOf(of.market, of.country)?.market ?? null,
    }));
    const since = momentText(await readCreatedAt(pool, brand.brand_id));
    return {
      items: Object.values(marketPolicies).map((policy) => ({
        market: policy.market,
        source: 'built_in' as const,
        since,
        players: sum(counted.filter((of) => of.policy === policy.market)),
        rules: rulesOf(policy),
      })),
      markets: marketsOf(counted),
      product_consents: await productConsents(pool, brand),
    };
  });
}

/** The rules of a policy. Rules that the market does not have are left out. Pure. */
export function rulesOf(policy: MarketPolicy): RuleShown[] {
  const { consent_per_product, mixed_product_incentives, most_wagering, most_suppression } = policy;
  const rules: RuleShown[] = [];
  if (consent_per_product)
    rules.push({ rule: 'consent_per_product', limit: null, reasons: ['policy_product_consent'] });
  if (!mixed_product_incentives) rules.push({ rule: 'one_product', limit: null, reasons: ['policy_mixed_products'] });
  if (most_wagering !== null)
    rules.push({
      rule: 'most_wagering',
      limit: String(most_wagering),
      reasons: ['policy_wagering', 'policy_wagering_unknown'],
    });
  if (most_suppression !== null) rules.push({ rule: 'most_suppression', limit: most_suppression, reasons: [] });
  return rules;
}

type Counted = PlayersOfMarket & { policy: string | null };

const mostMarkets = 100;

function marketsOf(counted: readonly Counted[]) {
  const groups = Map.groupBy(counted, ({ market, country, policy }) => JSON.stringify([market ?? country, policy]));
  return [...groups]
    .map(([key, players]) => {
      const [market, policy] = JSON.parse(key) as [string | null, string | null];
      return { market, policy, players: sum(players) };
    })
    .sort((a, b) => b.players - a.players)
    .slice(0, mostMarkets);
}

const sum = (of: readonly { players: number }[]): number => of.reduce((total, { players }) => total + players, 0);

/** The consents that policies require for products, with their last change in the console. */
async function productConsents(pool: Pool, { brand_id, declared, settings }: Brand) {
  const change = declared ? undefined : await selectLatestChange(pool, brand_id, 'product_consents');
  return {
    items: settings.product_consents,
    source: declared ? ('configuration_file' as const) : ('settings' as const),
    changed_at: change === undefined ? null : momentText(change.at),
    changed_by: change?.actor ?? null,
  };
}
