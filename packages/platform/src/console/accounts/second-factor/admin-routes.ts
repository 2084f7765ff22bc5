import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../../database/index.ts';
import { record } from '../../audit/audit.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { endpoint } from '../../routing/endpoint.ts';
import { Refused } from '../../routing/refused.ts';
import { serve } from '../../routing/serve.ts';
import { AccountParams, knownAccount } from '../known-account.ts';
import { deleteSessions } from '../store.ts';
import { deleteFactors, replaceRule, selectRule } from './store.ts';

const Rule = Type.Object(
  {
    every_brand: Type.Boolean(),
    brands: Type.Array(Type.String({ description: 'Code of a brand' }), { maxItems: 1_000 }),
  },
  { additionalProperties: false },
);

const ofAccounts = { may: 'account.manage', status: 200 } as const;
const changing = { ...ofAccounts, fresh: 'or automation' } as const;

export const showSecondFactorRule = endpoint({
  ...ofAccounts,
  method: 'GET',
  path: '/second-factor-rule',
  tag: 'Second factor',
  summary: 'The brands at which a second factor is required',
  answer: Rule,
});

export const changeSecondFactorRule = endpoint({
  ...changing,
  method: 'PUT',
  path: '/second-factor-rule',
  tag: 'Second factor',
  summary: 'Require a second factor at every brand, or at some',
  description:
    'At these brands, sessions without a second factor immediately get 403 `second_factor_required`, and can only add one. As soon as any brand requires it, managing accounts requires it too. The admin token is not affected.',
  conflict: 'The session of the caller has no second factor, so the rule would lock the caller out',
  body: Rule,
  answer: Rule,
});

export const resetSecondFactors = endpoint({
  ...changing,
  method: 'DELETE',
  path: '/accounts/:account_id/second-factors',
  tag: 'Accounts',
  summary: 'Remove all second factors of an account whose owner has lost them; its sessions end',
  params: AccountParams,
  status: 204,
  answer: Type.Null(),
});

export function secondFactorAdminRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, brands } = deps;

  const shown = async () => {
    const brandIds = await selectRule(pool);
    return {
      every_brand: brandIds.includes(null),
      brands: brandIds.flatMap((id) => (id === null ? [] : [brands.byId(id)?.code ?? []])).flat(),
    };
  };

  serve(app, showSecondFactorRule, shown);

  serve(app, changeSecondFactorRule, async ({ access, body }) => {
    const isRequired = body.every_brand || body.brands.length > 0;
    if (isRequired && access.session?.second_factor === false) {
      throw new Refused('conflict', {
        en: 'add a second factor to your own account first',
        de: 'Fügen Sie zuerst Ihrem eigenen Konto einen zweiten Faktor hinzu',
      });
    }
    const named = [...new Set(body.brands)].map((code) => {
      const brand = brands.byCode(code);
      if (brand === undefined)
        throw new Refused('invalid_request', {
          en: `there is no brand ${code}`,
          de: `Die Marke ${code} gibt es nicht`,
        });
      return brand.brand_id;
    });
    await transaction(pool, async (tx) => {
      await replaceRule(tx, [...(body.every_brand ? [null] : []), ...named]);
      const entry = { action: 'account.second_factor_rule_changed', brand: null, subject: 'second factor' } as const;
      await record(deps, access, { ...entry, details: body }, tx);
    });
    return shown();
  });

  serve(app, resetSecondFactors, async ({ access, params }) => {
    const { account_id, email } = await knownAccount(pool, params.account_id);
    await transaction(pool, async (tx) => {
      await deleteFactors(tx, account_id);
      await deleteSessions(tx, account_id);
      await record(deps, access, { action: 'account.second_factors_reset', brand: null, subject: email }, tx);
    });
    return null;
  });
}
