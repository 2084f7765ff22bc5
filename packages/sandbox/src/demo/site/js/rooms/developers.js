import { ready } from '../crm.js';
import { el, toast } from '../dom.js';
import { house, me, publishedEvents } from '../house.js';

const everyMs = 2000;

/** For developers of a site: try the script, send a message, and see what was published. */
export function developers() {
  const events = el('ul', { class: 'published' });
  const element = el(
    'div',
    {},
    el('h1', { class: 'title' }, 'Behind the scenes'),
    el('div', { class: 'columns two' }, demoMessages(), testUser(), sendOne(), published(events)),
  );
  if (!me.signed_in) return { element };
  const open = new Set();
  const show = () =>
    void publishedEvents().then(
      ({ events: list }) => fill(events, list, open),
      () => {},
    );
  show();
  const timer = setInterval(show, everyMs);
  return { element, left: () => clearInterval(timer) };
}

function demoMessages() {
  const show = (options) => ready.then((crm) => crm.demoMessage(options));
  const about = {
    Title: 'The lanterns are lit',
    Message: '<p>Ten spins on <b>Lucky Lanterns</b> are waiting for you tonight.</p>',
    PreviewText: 'Ten spins on Lucky Lanterns',
    CTAButtonText: 'Play now',
    CTAButtonLink: `${location.origin}/#game/lucky-lanterns`,
    FooterText: '<small>18+. Terms apply.</small>',
  };
  // Messages are shown only in a session. Without one they would wait, and the page would show nothing.
  const can = me.signed_in && !me.is_excluded;
  const button = (text, options) =>
    el('button', { class: 'ghost', type: 'button', disabled: !can, onclick: () => show(options) }, text);
  return el(
    'section',
    { class: 'card' },
    el('h2', {}, 'Demo messages'),
    el('p', {}, `Crm.demoMessage() shows a message without the server.${me.signed_in ? '' : ' Sign in first.'}`),
    el(
      'div',
      { class: 'actions' },
      button('Modal', { ...about, Event: 'message', ImageUrl: `${location.origin}/art/lucky-lanterns.svg` }),
      button('Banner', { ...about, Event: 'shoutout' }),
      button('Inbox, with a hint', { ...about, Event: 'inbox', DisplayType: 'push' }),
    ),
  );
}

function testUser() {
  return el(
    'section',
    { class: 'card' },
    el('h2', {}, 'The test user'),
    el(
      'p',
      {},
      `npm start prints a fixed session of the player ${house.platform.test_user_id}. Sign out, then run this in the browser's console:`,
    ),
    el('pre', {}, "window.sid = '<the sid>';\nCrm.init();\nCrm.toggleInbox();"),
  );
}

function sendOne() {
  const user = me.signed_in ? me.user_id : '<user_id>';
  const command = `TOKEN=$(cat data/admin-token)   # in the folder of Croupier
curl -s ${house.platform.url}/api/console/v1/brands/${house.platform.brand}/players/${user}/messages \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{
    "event": "inbox", "display_type": "push", "title": "Your free spins are here",
    "message": "<p>Ten spins on <b>Lucky Lanterns</b>.</p>", "preview_text": "Ten spins on Lucky Lanterns",
    "cta_button_text": "Play now", "cta_button_link": "${location.origin}/#game/lucky-lanterns",
    "image_url": "${location.origin}/art/lucky-lanterns.svg" }'`;
  const button = el('button', { class: 'ghost', type: 'button' }, 'Copy');
  button.addEventListener('click', () =>
    navigator.clipboard.writeText(command).then(
      () => toast('Copied.'),
      () => toast('Select the text and copy it.'),
    ),
  );
  return el(
    'section',
    { class: 'card wide' },
    el('h2', {}, 'Send yourself a message'),
    el('p', {}, 'Send messages through the console API. Its token must stay on your server:'),
    el('pre', { tabindex: 0 }, command),
    el('div', { class: 'actions' }, button),
  );
}

function published(events) {
  return el(
    'section',
    { class: 'card wide' },
    el('h2', {}, 'Events published about you'),
    el(
      'p',
      {},
      me.signed_in
        ? 'Newest first, with the time until the platform stored the event. Open a line to see the whole answer.'
        : 'Sign in to see them.',
    ),
    events,
  );
}

/**
 * The fields that describe what happened, on one line. The line expands to the whole body. Type and status come first, because they
 * distinguish, for example, an approved deposit from its request.
 */
function summaryOf({ user_id, timestamp, origin, type, status, ...more }) {
  return Object.entries({ type, status, ...more })
    .filter(([, value]) => value !== undefined && typeof value !== 'object' && value !== '')
    .slice(0, 4)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

const isQuarantined = ({ state, answer }) => state === 'acknowledged' && answer?.result === 'quarantined';

/** What happened to the event, for the end of its line. */
function shortOutcomeOf(event) {
  if (isQuarantined(event)) return 'in quarantine';
  if (event.state === 'acknowledged') return `${event.took} ms`;
  if (event.state === 'given_up') return 'not stored';
  if (event.state === 'refused') return 'refused';
  return event.answer ? `answered ${event.answer.status}, trying again` : 'no answer yet';
}

/** What the platform answered, in words. */
function outcomeOf(event) {
  const { state, answer, answers, took } = event;
  const status = answer && `status ${answer.status}${answer.result && `, ${answer.result}`}`;
  const tries = answers > 1 ? ` It answered ${answers} times; this is the last answer.` : '';
  if (isQuarantined(event))
    return `The platform put the event into quarantine after ${took} ms (${status}). An operator can correct it there.${tries}`;
  if (state === 'acknowledged') return `The platform stored the event after ${took} ms (${status}).${tries}`;
  if (state === 'refused') return `The platform refused the event (${status}).`;
  if (state === 'given_up') return 'The casino stopped before the platform stored the event.';
  if (!answer) return 'The platform has not answered yet. The casino sends the event until it does.';
  return `The platform did not accept the event (${status}). The casino sends it again.${tries}`;
}

/** What is wrong with an event that was not stored, field by field. */
function errorsOf(event) {
  const { refusal } = event;
  if (!refusal || (event.state === 'acknowledged' && !isQuarantined(event))) return null;
  const lines = refusal.errors.map(({ path, message }) => el('li', {}, el('b', {}, path || 'body'), `: ${message}`));
  return lines.length > 0 ? el('ul', {}, lines) : refusal.detail && el('p', {}, refusal.detail);
}

function fill(list, entries, open) {
  list.replaceChildren(
    ...entries.map((one) => {
      const row = el(
        'details',
        { open: open.has(one.number) },
        el(
          'summary',
          {},
          el('b', {}, one.kind),
          el('span', { class: 'said' }, summaryOf(one.body)),
          el('span', {}, shortOutcomeOf(one)),
        ),
        el('p', {}, outcomeOf(one)),
        errorsOf(one),
        el('pre', {}, `${one.method} ${one.path}\n${JSON.stringify(one.body, null, 2)}`),
      );
      row.addEventListener('toggle', () => (row.open ? open.add(one.number) : open.delete(one.number)));
      return el('li', {}, row);
    }),
  );
}
