/**
 * The operator of the trial: a server at 127.0.0.1 that knows every player. Croupier calls it to validate sessions and to look up
 * players, because no message is sent to a player whose consents and blocks are unknown.
 *
 * It uses only Node's own modules, because `npm ci` replaces the modules of the checkout during the trial.
 */
import { createServer } from 'node:http';

const port = Number(process.argv[2] ?? 8091);
const channels = ['Email', 'SMS', 'Telephone', 'PostMail', 'SiteNotification', 'PushNotification'];

const details = (user_id: string) => ({
  user_id,
  username: user_id,
  email: `${user_id}@example.com`,
  first_name: 'Ann',
  last_name: 'Example',
  title: '',
  sex: '',
  birth_date: '1990-01-01',
  address: '',
  city: '',
  postal_code: '',
  country: 'MT',
  market: 'MT',
  currency: 'EUR',
  language: 'en',
  mobile: '',
  mobile_prefix: '',
  origin: 'mycasino',
  roles: [],
  is_blocked: false,
  is_excluded: false,
  registration_code: '',
  affiliate_reference: '',
  segmentation: {},
});

function answer(method: string, path: string, body: Record<string, unknown>): unknown {
  const [, resource = '', user = ''] = path.split('/').map(decodeURIComponent);
  switch (`${method} ${resource}`) {
    case 'POST authenticate': {
      const sid = String(body.sid);
      return sid.startsWith('sid-') ? { user_id: sid.slice('sid-'.length) } : undefined;
    }
    case 'GET userdetails':
      return details(user);
    case 'GET userconsents':
      return { consents: channels.map((type) => ({ type, opted_in: true })) };
    case 'GET userblocks':
      return { blocks: ['Excluded', 'Blocked'].map((type) => ({ type, active: false, note: '' })) };
    case 'POST reconciliation':
      return { users: [], timestamp: new Date().toISOString() };
    case 'POST userconsents':
    case 'POST bonus':
      return {};
    default:
      return undefined;
  }
}

createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += String(piece);
  const found = answer(request.method ?? '', request.url ?? '', text === '' ? {} : JSON.parse(text));
  response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found ?? {}));
}).listen(port, '127.0.0.1');
