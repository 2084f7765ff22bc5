import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../deps.ts';
import { momentTextOrNull } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { readBonusListEndpoint } from './endpoints.ts';

export function bonusListRoutes(app: FastifyInstance, { bonusLists }: ConsoleDeps): void {
  serve(app, readBonusListEndpoint, async ({ brand }) => {
    const { bonuses, as_of, ...list } = await bonusLists.read(brand);
    return { ...list, bonuses: [...bonuses], as_of: momentTextOrNull(as_of) };
  });
}
