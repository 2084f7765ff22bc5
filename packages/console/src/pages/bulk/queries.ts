import { queryOptions } from '@tanstack/react-query';
import type { paths } from '../../../dist/schema.d.ts';
import { api, bodyOf } from '../../api/client.ts';

type Actions =
  paths['/api/console/v1/brands/{brand}/bulk-actions']['get']['responses'][200]['content']['application/json'];
export type Action = Actions['items'][number];

export const isRunning = ({ state }: Pick<Action, 'state'>): boolean => state === 'gathering' || state === 'running';

/** The actions on one segment, newest first. */
export const actionsOfSegment = (brand: string, segment: string) =>
  queryOptions({
    queryKey: [brand, 'bulk-actions', 'of segment', segment],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/bulk-actions', {
          params: { path: { brand }, query: { segment, limit: 5 } },
        }),
      ),
  });
