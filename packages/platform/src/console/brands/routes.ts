import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../deps.ts';
import { serve } from '../routing/serve.ts';
import { listBrands, showBrand } from './endpoints.ts';

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
    const { code, name, declared, settings, operator, test_user, site_jwt } = brand;
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
    };
  });
}
