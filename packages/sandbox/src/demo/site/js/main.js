import * as crm from './crm.js';
import { byId, el, money, toast } from './dom.js';
import { exclude, house, me, reloadMe, signOut, whenChanged } from './house.js';
import { account } from './rooms/account.js';
import { openCashier } from './rooms/cashier.js';
import { developers } from './rooms/developers.js';
import { openEntrance } from './rooms/entrance.js';
import { game } from './rooms/game.js';
import { lobby } from './rooms/lobby.js';

/** Pages by the first part of the address after '#'. Each returns its element, and optionally a function to call on leaving. */
const rooms = { lobby, game, account, developers };
/** How often the wallet is loaded again. The page is not notified when a bonus of the platform arrives. */
const lookAgainMs = 2000;

let leave = () => {};
let shown = '';

function showRoom({ moveFocus }) {
  const address = location.hash.slice(1) || 'lobby';
  const [name, ...rest] = address.split('/');
  const room = rooms[name] === undefined || (name === 'account' && !me.signed_in) ? 'lobby' : name;
  // Keeps the same page for the same player, so that turning reels are not reset.
  const key = `${room}/${rest.join('/')}/${me.user_id}/${me.is_excluded}`;
  if (key === shown) return;
  shown = key;
  leave();
  const { element, left = () => {} } = rooms[room](rest.join('/'));
  leave = left;
  byId('room').replaceChildren(element);
  document.title = room === 'lobby' ? 'Demo Casino' : `${element.querySelector('h1').textContent} · Demo Casino`;
  for (const link of document.querySelectorAll('.rooms a')) {
    if (link.hash === `#${room}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (moveFocus) {
    byId('room').focus();
    scrollTo(0, 0);
  }
}

function showMe() {
  for (const part of document.querySelectorAll('[data-when]')) {
    part.hidden = (part.dataset.when === 'in') !== me.signed_in;
  }
  byId('excluded').hidden = me.is_excluded !== true;
  if (!me.signed_in) return;
  const { real, bonus, currency } = me.wallet;
  byId('wallet').replaceChildren(
    el('strong', {}, money(real, currency)),
    bonus > 0 ? el('small', {}, `+ ${money(bonus, currency)} bonus`) : '',
  );
  byId('deposit').disabled = me.is_excluded || me.is_blocked;
  byId('inbox').disabled = me.is_excluded;
}

function fail(error) {
  toast(error.message);
}

byId('enter').addEventListener('click', openEntrance);
byId('deposit').addEventListener('click', openCashier);
byId('sign-out').addEventListener('click', () => signOut().catch(fail));
byId('inbox').addEventListener('click', () => crm.ready.then((api) => api.toggleInbox()));
byId('excluded').append(
  'You have excluded yourself. You cannot play, and you get no offers and no messages.',
  el(
    'button',
    { type: 'button', class: 'ghost', onclick: () => exclude(false).catch(fail) },
    'End it (in this demo only)',
  ),
);
for (const link of document.querySelectorAll('[data-platform]')) link.href = house.platform.url + link.dataset.platform;

whenChanged((next) => {
  showMe();
  showRoom({ moveFocus: false });
  void crm.follow(next);
});
addEventListener('hashchange', () => showRoom({ moveFocus: true }));
setInterval(() => {
  if (me.signed_in && !document.hidden) void reloadMe();
}, lookAgainMs);

showMe();
showRoom({ moveFocus: false });
void crm.follow(me);
