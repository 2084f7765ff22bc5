import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import { every } from './live.ts';

/** The queries that several pages use, by name. Pages share the results. Times are in milliseconds. */
const liveMs = 2_000;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => bodyOf(api.GET('/api/console/v1/session')),
  staleTime: 60_000,
});

/** How the caller can prove again who they are. */
export const proofQuery = queryOptions({
  queryKey: ['session', 'proof'],
  queryFn: () => bodyOf(api.GET('/api/console/v1/session/proof')),
  staleTime: 0,
});

export const brandsQuery = queryOptions({
  queryKey: ['brands'],
  queryFn: () => bodyOf(api.GET('/api/console/v1/brands')),
  staleTime: 60_000,
});

/** A page that shows nothing yet accepts an overview of this age, in seconds, because a new one may have to wait for its turn. */
const firstOverviewAge = 2;

export const overviewQuery = (brand: string) =>
  queryOptions({
    queryKey: [brand, 'overview'],
    queryFn: ({ client, queryKey }) => {
      const query = client.getQueryData(queryKey) === undefined ? { max_age: firstOverviewAge } : {};
      return bodyOf(api.GET('/api/console/v1/brands/{brand}/overview', { params: { path: { brand }, query } }));
    },
    refetchInterval: every(liveMs),
  });

export const playerQuery = (brand: string, user_id: string) =>
  queryOptions({
    queryKey: [brand, 'player', user_id],
    queryFn: () =>
      bodyOf(api.GET('/api/console/v1/brands/{brand}/players/{user_id}', { params: { path: { brand, user_id } } })),
    refetchInterval: every(liveMs * 2),
  });

/** The traits of the platform, without windows. They change only with a new version of the platform. */
export const traitCatalogQuery = queryOptions({
  queryKey: ['traits'],
  queryFn: async () => (await bodyOf(api.GET('/api/console/v1/traits'))).items,
  staleTime: Number.POSITIVE_INFINITY,
});

export const contactabilityQuery = (brand: string, user_id: string) =>
  queryOptions({
    queryKey: [brand, 'player', user_id, 'contactability'],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/players/{user_id}/contactability', {
          params: { path: { brand, user_id } },
        }),
      ),
    refetchInterval: every(liveMs * 2),
  });

export const playerSegmentsQuery = (brand: string, user_id: string) =>
  queryOptions({
    queryKey: [brand, 'player', user_id, 'segments'],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/players/{user_id}/segments', { params: { path: { brand, user_id } } }),
      ),
    refetchInterval: every(liveMs),
  });

export const segmentQuery = (brand: string, code: string) =>
  queryOptions({
    queryKey: [brand, 'segment', code],
    queryFn: () => readSegment(brand, code),
    refetchInterval: every(liveMs),
  });

const readSegment = (brand: string, code: string) =>
  bodyOf(api.GET('/api/console/v1/brands/{brand}/segments/{code}', { params: { path: { brand, code } } }));
export type SegmentShown = Awaited<ReturnType<typeof readSegment>>;

/** Campaigns with a draft that waits for approval, from all pages of the list. */
export const campaignsAwaitingApproval = (brand: string) =>
  allOf((page) =>
    bodyOf(
      api.GET('/api/console/v1/brands/{brand}/campaigns', {
        params: { path: { brand }, query: { ...page, awaits_approval: true } },
      }),
    ),
  );

const readCampaign = (brand: string, code: string) =>
  bodyOf(api.GET('/api/console/v1/brands/{brand}/campaigns/{code}', { params: { path: { brand, code } } }));
export type CampaignShown = Awaited<ReturnType<typeof readCampaign>>;

export const campaignQuery = (brand: string, code: string) =>
  queryOptions({
    queryKey: [brand, 'campaign', code],
    queryFn: () => readCampaign(brand, code),
    refetchInterval: every(liveMs),
  });

/** The events that campaigns can use. */
export const campaignEventsQuery = (brand: string) =>
  queryOptions({
    queryKey: [brand, 'campaign-events'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/campaign-events', { params: { path: { brand } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

interface PageOf<Item> {
  items: Item[];
  next: string | null;
}

const largestPage = 200;

/** Reads all pages of a list. Use it only for small lists. */
async function allOf<Item>(read: (page: { limit: number; cursor?: string }) => Promise<PageOf<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: largestPage, ...(cursor !== undefined && { cursor }) });
    items.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return items;
}

/** The blocks that templates can include, from all pages of the list. A brand has few of them. */
export const blocksQuery = (brand: string) =>
  queryOptions({
    queryKey: [brand, 'templates', 'blocks'],
    queryFn: async () => {
      const blocks = await allOf((page) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/templates', {
            params: { path: { brand }, query: { ...page, channel: 'block' } },
          }),
        ),
      );
      return blocks.map(({ code, name }) => ({ code, name }));
    },
  });

/** Every version of a campaign, newest first, with its document. */
export const campaignVersionsQuery = (brand: string, code: string) =>
  queryOptions({
    queryKey: [brand, 'campaign', code, 'versions'],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/versions', { params: { path: { brand, code } } }),
      ),
  });

/** Counts of the runs of a campaign, by step. */
export const campaignStepsQuery = (brand: string, code: string) =>
  queryOptions({
    queryKey: [brand, 'campaign', code, 'steps'],
    queryFn: () =>
      bodyOf(api.GET('/api/console/v1/brands/{brand}/campaigns/{code}/steps', { params: { path: { brand, code } } })),
    refetchInterval: every(liveMs),
  });

const healthMs = 5_000;

export const operatorHealthQuery = (brand: string) =>
  queryOptions({
    queryKey: [brand, 'operator-health'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/operator-health', { params: { path: { brand } } })),
    refetchInterval: every(healthMs),
  });

export const channelsQuery = (brand: string) =>
  queryOptions({
    queryKey: [brand, 'channels'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/channels', { params: { path: { brand } } })),
    refetchInterval: every(healthMs),
  });
