import type { NetworkLimit } from '../../http/endpoints/endpoint.ts';
import type { SiteEndpoint } from '../api/endpoint.ts';

/* Shared parts of the definitions of push calls. */

export const tag = 'Push';

/** Thousands of players behind the address of one mobile carrier may click the same push within minutes. */
export const deviceLimit: NetworkLimit = { counts: 'calls', burst: 500, per_second: 50 };

export const sampleToken = '1.881.bWFya3Mgb25lIG1lc3NhZw';
export const sampleSubscription = {
  endpoint: 'https://push.example.com/v2/gAAAAABk',
  keys: {
    p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
    auth: 'tBHItJI5svbpez7KI4CCXg',
  },
};

export function pushAnswer(means: string): SiteEndpoint['answerShown'] {
  return { name: 'PushAnswer', sample: null, means };
}
