import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { listReportTallies, reportOutcomes } from '../../channels/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';

const mostRows = 1_000;

export const listReportsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/channel-reports',
  tag: 'Channels',
  summary: 'Number of reports and replies from providers and mail servers, by day and outcome',
  description: `Newest days first, at most ${mostRows} rows, kept for 400 days. If \`unknown_message\` rises, a provider reports messages of another sender or uses other ids. If \`unmatched_stop\` rises, players replied STOP from numbers that no player has: their consents were not withdrawn.`,
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        channel: Type.String(),
        provider: Type.String(),
        outcome: Type.Enum([...reportOutcomes], {
          description:
            'taken: it became an event. repeated: it was already received. unknown_message: the message, or the player who replied, is not known. unmatched_stop: a STOP reply from a number that no player has. ignored: it contains nothing that is used',
        }),
        day: Type.String({ description: 'YYYY-MM-DD, UTC' }),
        reports: Type.Integer(),
        last_at: Moment,
      }),
    ),
  }),
});

export function channelReportRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, listReportsEndpoint, async ({ brand }) => {
    const rows = await listReportTallies(pool, brand.brand_id, mostRows);
    return { items: rows.map((row) => ({ ...row, last_at: momentText(row.last_at) })) };
  });
}
