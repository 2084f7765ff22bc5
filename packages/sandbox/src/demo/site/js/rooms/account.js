import { ready } from '../crm.js';
import { el, toast } from '../dom.js';
import { exclude, me } from '../house.js';

const channels = {
  Email: 'E-mail',
  SMS: 'Text messages',
  Telephone: 'Telephone',
  PostMail: 'Letters',
  SiteNotification: 'Messages on this site',
  PushNotification: 'Push messages on my devices',
};

const askAgainMs = 2000;

/** What the player decides: channels, push on this device, and stopping. */
export function account() {
  const asked = consents();
  const element = el(
    'div',
    {},
    el('h1', { class: 'title' }, `${me.first_name} ${me.last_name}`),
    el('div', { class: 'columns' }, asked.element, push(), responsible()),
  );
  return { element, left: asked.left };
}

/** Consents as the platform holds them (`Crm.profile`); it writes a change back to this casino. */
function consents() {
  const list = el('ul', { class: 'switches', id: 'consents' });
  const state = el('p', { role: 'status' }, 'Asking the platform ...');
  const element = el('section', { class: 'card' }, el('h2', {}, 'How we may reach you'), state, list);
  let again;

  function row({ Type, OptedIn }) {
    const label = el('span', { id: `consent-${Type}` }, channels[Type] ?? Type);
    const knob = el('button', {
      class: 'switch',
      type: 'button',
      role: 'switch',
      'aria-checked': String(OptedIn === true),
      'aria-labelledby': `consent-${Type}`,
    });
    knob.addEventListener('click', async () => {
      const wanted = knob.getAttribute('aria-checked') !== 'true';
      knob.setAttribute('aria-checked', String(wanted));
      try {
        await (await ready).setConsent(Type, wanted);
      } catch {
        knob.setAttribute('aria-checked', String(!wanted));
        toast('That could not be stored. Try again in a moment.');
      }
    });
    return el('li', {}, label, knob);
  }

  async function show() {
    try {
      const { Consents } = await (await ready).profile();
      list.replaceChildren(...Consents.map(row));
      state.textContent = 'What you switch off is off at once.';
    } catch {
      state.textContent = 'The platform cannot tell just now.';
      if (element.isConnected) again = setTimeout(show, askAgainMs);
    }
  }
  // The site is closed to whoever is excluded: there is nothing to ask for.
  if (me.is_excluded) state.textContent = 'While you are excluded we do not reach you at all.';
  else void show();
  return { element, left: () => clearTimeout(again) };
}

/** What became of the question; see docs/guides/push.md. */
const outcomes = {
  subscribed: 'This device rings for you now.',
  unsubscribed: 'This device is quiet now.',
  denied: "You said no; only the browser's settings change that.",
  dismissed: 'You closed the question. Press again to be asked again.',
  unsupported: 'This browser has no push messages.',
  off: 'This casino sends no push messages.',
};

function push() {
  const button = (text, wanted) =>
    el(
      'button',
      {
        class: 'ghost',
        type: 'button',
        disabled: me.is_excluded,
        onclick: async () => {
          // Browsers ask only in a click: nothing may be waited for before.
          const asked = window.Crm?.enablePush(wanted) ?? Promise.reject(new Error('The platform is away.'));
          await asked.then(
            (outcome) => toast(outcomes[outcome] ?? outcome),
            (error) => toast(error.message),
          );
        },
      },
      text,
    );
  return el(
    'section',
    { class: 'card' },
    el('h2', {}, 'Push messages'),
    el('p', {}, 'The browser asks you once, and only because you pressed.'),
    el('div', { class: 'actions' }, button('Ring on this device', true), button('No more', false)),
  );
}

function responsible() {
  const button = el('button', { class: 'ghost', type: 'button', disabled: me.is_excluded }, 'Exclude myself');
  button.addEventListener('click', () => exclude(true).catch((error) => toast(error.message)));
  return el(
    'section',
    { class: 'card' },
    el('h2', {}, 'Enough for now?'),
    el(
      'p',
      {},
      'Exclude yourself, and the platform is told at once: offers stop on every channel, unread ones are taken back, and this inbox closes.',
    ),
    el('div', { class: 'actions' }, button),
  );
}
