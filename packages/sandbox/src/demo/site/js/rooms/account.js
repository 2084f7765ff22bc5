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

/** The player's settings: channels, push on this device, and self-exclusion. */
export function account() {
  const parts = [consents(), push()];
  const element = el(
    'div',
    {},
    el('h1', { class: 'title' }, `${me.first_name} ${me.last_name}`),
    el('div', { class: 'columns' }, ...parts.map((part) => part.element), responsible()),
  );
  return {
    element,
    left() {
      for (const part of parts) part.left();
    },
  };
}

/** Consents as the platform stores them (`Crm.profile`). It writes a change back to this casino. */
function consents() {
  const list = el('ul', { class: 'switches', id: 'consents' });
  const state = el('p', { role: 'status' }, 'Loading ...');
  const element = el('section', { class: 'card' }, el('h2', {}, 'How we may reach you'), state, list);
  let again;

  function row({ Type, OptedIn }) {
    const label = el('span', { id: `consent-${Type}` }, channels[Type]);
    const toggle = el('button', {
      class: 'switch',
      type: 'button',
      role: 'switch',
      'aria-checked': String(OptedIn === true),
      'aria-labelledby': `consent-${Type}`,
    });
    toggle.addEventListener('click', async () => {
      const wanted = toggle.getAttribute('aria-checked') !== 'true';
      toggle.setAttribute('aria-checked', String(wanted));
      try {
        await (await ready).setConsent(Type, wanted);
      } catch {
        toggle.setAttribute('aria-checked', String(!wanted));
        toast('Your change could not be saved. Try again in a moment.');
      }
    });
    return el('li', {}, label, toggle);
  }

  async function show() {
    try {
      const { Consents } = await (await ready).profile();
      // A player never sees a code, so a channel without a name here is not shown.
      list.replaceChildren(...Consents.filter(({ Type }) => Type in channels).map(row));
      state.textContent = 'Switching a channel off takes effect immediately.';
    } catch {
      state.textContent = 'Your settings are not available at the moment.';
      if (element.isConnected) again = setTimeout(show, askAgainMs);
    }
  }
  // An excluded player has no session at the platform, so there is nothing to load.
  if (me.is_excluded) state.textContent = 'While you are excluded, we do not contact you.';
  else void show();
  return { element, left: () => clearTimeout(again) };
}

/** Outcomes of the request; see docs/guides/push.md. */
const outcomes = {
  subscribed: 'This device gets notifications now.',
  unsubscribed: 'This device gets no notifications now.',
  denied: "You blocked notifications. Allow them in the browser's settings for this site.",
  dismissed: 'You closed the prompt. Press the button to try again.',
  unsupported: 'This browser cannot show notifications.',
  off: 'This casino does not send notifications.',
};

/** The button's text in each state of this device, what it wants, and the sentence above it. Null disables the button. */
const pushStates = {
  subscribed: {
    words: 'Turn off notifications',
    wanted: false,
    about: 'This device shows our messages, even while no page of this site is open.',
  },
  unsubscribed: {
    words: 'Turn on notifications',
    wanted: true,
    about: 'For this device. Your browser may ask for permission when you press the button.',
  },
  denied: { words: 'Notifications are blocked', wanted: null, about: outcomes.denied },
  unsupported: { words: 'Notifications are not supported', wanted: null, about: outcomes.unsupported },
  off: { words: 'Notifications are not available', wanted: null, about: outcomes.off },
  excluded: {
    words: 'Turn on notifications',
    wanted: null,
    about: 'While you are excluded, this device gets no notifications.',
  },
};

function push() {
  const about = el('p', {}, 'Loading ...');
  const button = el('button', { class: 'ghost', type: 'button', disabled: true }, pushStates.unsubscribed.words);
  let wanted = null;
  let isCalling = false;
  let permission;

  function show(state) {
    const shown = pushStates[state] ?? pushStates.unsubscribed;
    button.textContent = shown.words;
    about.textContent = shown.about;
    wanted = shown.wanted;
    button.disabled = isCalling || wanted === null;
  }

  /** Loads the state of this device again, unless a call is about to report it. */
  function load() {
    if (isCalling) return;
    if (me.is_excluded) show('excluded');
    else
      ready
        .then((crm) => crm.pushState())
        .then(show)
        .catch(() => show('unsubscribed'));
  }

  button.addEventListener('click', async () => {
    isCalling = true;
    button.disabled = true;
    let outcome;
    try {
      // Browsers show the prompt only during a click, so do not await anything before this call.
      outcome = await window.Crm.enablePush(wanted);
    } catch {}
    isCalling = false;
    toast(outcomes[outcome] ?? 'That did not work. Try again in a moment.');
    if (outcome === undefined) button.disabled = false;
    else show(outcome);
    // A disabled button loses the focus.
    if (document.activeElement === document.body) button.focus();
  });
  load();
  // The player may change the permission in the browser's settings while the page is open.
  navigator.permissions?.query({ name: 'notifications' }).then(
    (status) => {
      permission = status;
      status.onchange = load;
    },
    () => {},
  );
  const element = el(
    'section',
    { class: 'card', id: 'notifications' },
    el('h2', {}, 'Notifications'),
    about,
    el('div', { class: 'actions' }, button),
  );
  return {
    element,
    left() {
      if (permission) permission.onchange = null;
    },
  };
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
      'If you exclude yourself, offers stop on every channel immediately, unread offers are withdrawn, and this inbox closes.',
    ),
    el('div', { class: 'actions' }, button),
  );
}
