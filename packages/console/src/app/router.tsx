import { createRoute, createRouter, Navigate } from '@tanstack/react-router';
import { contactabilityQuery, overviewQuery, playerQuery } from '../api/queries.ts';
import { timelineList } from '../pages/player/timeline-list.ts';
import { filtersOf } from '../ui/filters.tsx';
import { LoadingPage } from '../ui/unready-page.tsx';
import './arrival.ts';
import { readEarly, readListEarly } from './early-reads.ts';
import { lazyPage, PageFailed } from './lazy-page.tsx';
import { operationsRoutes } from './operations-routes.tsx';
import { brand, root } from './roots.tsx';
import { Start } from './start.tsx';

/*
 * Addresses of the console:
 *
 *   /console/sign-in
 *   /console/sign-in/answer, where the identity provider sends the browser back
 *   /console/<brand>/now | live | players | players/<user_id> | segments | segments/<code> | new-segment
 *   /console/<brand>/campaigns | campaigns/<code> | new-campaign | runs/<run_id>
 *   and those of operations-routes.tsx
 *
 * Each page is loaded when it is first opened.
 */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { back?: string } =>
    typeof search.back === 'string' ? { back: search.back } : {},
  component: lazyPage(() => import('../pages/sign-in.tsx'), 'SignIn'),
});
const signInAnswer = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/answer',
  component: lazyPage(() => import('../pages/sign-in/answer.tsx'), 'SignInAnswer'),
});
const start = createRoute({ getParentRoute: () => root, path: '/', component: Start });
const brandStart = createRoute({
  getParentRoute: () => brand,
  path: '/',
  component: () => <Navigate from="/$brand" to="/$brand/now" />,
});
const now = createRoute({
  getParentRoute: () => brand,
  path: '/now',
  validateSearch: filtersOf,
  loader: ({ params: { brand } }) => readEarly(overviewQuery(brand)),
  component: lazyPage(() => import('../pages/now/now.tsx'), 'Now'),
});
const live = createRoute({
  getParentRoute: () => brand,
  path: '/live',
  validateSearch: filtersOf,
  component: lazyPage(() => import('../pages/live/live.tsx'), 'Live'),
});
const players = createRoute({
  getParentRoute: () => brand,
  path: '/players',
  validateSearch: filtersOf,
  component: lazyPage(() => import('../pages/players.tsx'), 'Players'),
});
const player = createRoute({
  getParentRoute: () => brand,
  path: '/players/$userId',
  validateSearch: filtersOf,
  loader: ({ params: { brand, userId }, location }) => {
    readEarly(playerQuery(brand, userId));
    readEarly(contactabilityQuery(brand, userId));
    // Without filters in the address, the page shows the whole timeline.
    if (location.searchStr === '') readListEarly(timelineList(brand, userId, {}));
  },
  component: lazyPage(() => import('../pages/player/player.tsx'), 'Player'),
});
const segments = createRoute({
  getParentRoute: () => brand,
  path: '/segments',
  validateSearch: filtersOf,
  component: lazyPage(() => import('../pages/segments.tsx'), 'Segments'),
});
const newSegment = createRoute({
  getParentRoute: () => brand,
  path: '/new-segment',
  component: lazyPage(() => import('../pages/new-segment.tsx'), 'NewSegment'),
});
const segment = createRoute({
  getParentRoute: () => brand,
  path: '/segments/$code',
  validateSearch: filtersOf,
  component: lazyPage(() => import('../pages/segment.tsx'), 'Segment'),
});
const campaigns = createRoute({
  getParentRoute: () => brand,
  path: '/campaigns',
  validateSearch: filtersOf,
  component: lazyPage(() => import('../pages/campaigns.tsx'), 'Campaigns'),
});
const newCampaign = createRoute({
  getParentRoute: () => brand,
  path: '/new-campaign',
  component: lazyPage(() => import('../pages/campaign/new-campaign.tsx'), 'NewCampaign'),
});
const campaign = createRoute({
  getParentRoute: () => brand,
  path: '/campaigns/$code',
  validateSearch: filtersOf,
  component: lazyPage(() => import('../pages/campaign.tsx'), 'Campaign'),
});
const run = createRoute({
  getParentRoute: () => brand,
  path: '/runs/$id',
  validateSearch: filtersOf,
  component: lazyPage(() => import('../pages/run/run.tsx'), 'RunPage'),
});

const ofPlayers = [players, player, segments, newSegment, segment, campaigns, newCampaign, campaign, run];
const pages = [brandStart, now, live, ...ofPlayers];
const routeTree = root.addChildren([signIn, signInAnswer, start, brand.addChildren([...pages, ...operationsRoutes])]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  // This is shown if the file of a page takes longer than a second.
  defaultPendingComponent: LoadingPage,
  // Without this, the router keeps the state of a page when the address changes to another object of the same kind. The page of a
  // player would then show the revealed data of the previous player. Changes of the query string keep the state.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** Query parameters of the list of players. */
    playerSearch?: string;
  }
}
