import { api } from '../../api/client.ts';

export type Endpoint =
  | 'userdetails'
  | 'userconsents'
  | 'userblocks'
  | 'userconsents_write'
  | 'userblocks_write'
  | 'bonus_credit'
  | 'bonus_credit_funds'
  | 'bonus_list'
  | 'reconciliation'
  | 'authenticate'
  | 'token';

type EndpointTest =
  | { needs: 'player.refresh' | 'brand.read' | 'player.reconcile'; run(): Promise<unknown> }
  | { untestable: 'needsTestUser' | 'unsafe' | 'byPage' };

/**
 * Returns how the console can test an endpoint of the operator without changing the operator's data. If it cannot,
 * returns the reason.
 */
export function testOf(endpoint: Endpoint, brand: string, testUser: string | null): EndpointTest {
  switch (endpoint) {
    case 'userdetails':
    case 'userconsents':
    case 'userblocks':
    case 'token':
      if (testUser === null) return { untestable: 'needsTestUser' };
      return {
        needs: 'player.refresh',
        run: () =>
          api.POST('/api/console/v1/brands/{brand}/players/{user_id}/refresh', {
            params: { path: { brand, user_id: testUser } },
          }),
      };
    case 'bonus_list':
      return {
        needs: 'brand.read',
        run: () => api.GET('/api/console/v1/brands/{brand}/bonus-list', { params: { path: { brand } } }),
      };
    case 'reconciliation':
      return {
        needs: 'player.reconcile',
        run: () =>
          api.POST('/api/console/v1/brands/{brand}/reconciliations', {
            params: { path: { brand } },
            body: { fields: ['excluded'] },
          }),
      };
    case 'authenticate':
      return { untestable: 'byPage' };
    case 'userconsents_write':
    case 'userblocks_write':
    case 'bonus_credit':
    case 'bonus_credit_funds':
      return { untestable: 'unsafe' };
  }
}
