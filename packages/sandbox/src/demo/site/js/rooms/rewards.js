import { ready } from '../crm.js';
import { el, money, toast } from '../dom.js';
import { reloadMe } from '../house.js';

/** Names of this casino's bonuses; the platform knows their codes. */
const names = {
  WELCOME100: 'Welcome bonus, 100 %',
  RELOAD50: 'Reload bonus, 50 %',
  FREESPINS20: '20 free spins',
  CASHBACK10: 'Cashback, 10 %',
};
const everyMs = 5000;

/** Rewards that the platform offers to this player (`Crm.pendingRewards`). One click claims one (`Crm.claimReward`). */
export function rewards() {
  const list = el('ul', { id: 'rewards' });
  const state = el('p', { role: 'status' }, 'Loading rewards ...');
  const element = el('section', { class: 'card rewards' }, el('h2', {}, 'Your rewards'), state, list);

  async function claim(reward, button) {
    button.disabled = true;
    const crm = await ready;
    try {
      await crm.claimReward(reward.Id);
      toast(`Being credited: ${nameOf(reward)}.`);
      void reloadMe();
    } catch {
      toast('The reward could not be claimed. Try again in a moment.');
    }
    await show();
  }

  function row(reward) {
    const what = el(
      'div',
      { class: 'reward' },
      el('b', {}, nameOf(reward)),
      el('small', {}, reward.Expires === null ? 'Does not expire' : `Until ${momentOf(reward.Expires)}`),
    );
    if (reward.State === 'claimed') return el('li', {}, what, el('span', {}, 'On its way'));
    const button = el('button', { class: 'gold', type: 'button' }, 'Claim');
    button.addEventListener('click', () => claim(reward, button));
    return el('li', {}, what, button);
  }

  async function show() {
    const crm = await ready;
    // Keeps the last list while the session is not known yet or the platform is unavailable.
    const found = await crm.pendingRewards().catch(() => null);
    if (found === null) return;
    list.replaceChildren(...found.map(row));
    state.textContent =
      found.length === 0 ? 'You have no rewards at the moment. New rewards appear here automatically.' : '';
  }

  const reloadUnlessInUse = () => {
    if (!document.hidden && !list.contains(document.activeElement)) void show();
  };
  void show();
  const timer = setInterval(reloadUnlessInUse, everyMs);
  // A message often comes with a reward.
  const ends = ['message', 'shoutout', 'inbox'].map((event) => ready.then((crm) => crm.on(event, reloadUnlessInUse)));
  const left = () => {
    clearInterval(timer);
    for (const end of ends) void end.then((stop) => stop());
  };
  return { element, left };
}

/** "4 Dec 2026, 12:51" in the reader's language and zone. The platform's times are UTC. */
function momentOf(time) {
  return new Date(`${time.replace(' ', 'T')}Z`).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
}

/** A player never sees a code. The platform may offer bonuses that this casino has no name for. */
function nameOf({ Code, Amount, Currency }) {
  return Amount === null ? (names[Code] ?? 'A bonus for you') : `${money(Number(Amount), Currency)} bonus`;
}
