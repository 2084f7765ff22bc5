import { ready } from '../crm.js';
import { chips, el, money, picture } from '../dom.js';
import { house, me, pay, spin } from '../house.js';
import { openEntrance } from './entrance.js';

/** How long each reel turns, in milliseconds (each longer than the one before), and how many symbols pass. */
const turnMs = [700, 950, 1200];
const passing = [12, 16, 20];

/** A slot. The server has drawn the result before the reels turn; they only show it. */
export function game(gameId) {
  const found = house.games.find((one) => one.game_id === gameId) ?? house.games[0];
  const reels = [0, 1, 2].map(() => el('div', { class: 'reel' }));
  const closed = me.is_excluded === true;
  const outcome = el(
    'p',
    { class: 'outcome', role: 'status' },
    closed ? 'Not available while you are excluded.' : 'Good luck.',
  );
  const button = el(
    'button',
    { class: 'gold', type: 'button', disabled: closed },
    me.signed_in ? 'Spin' : 'Sign in to play',
  );
  const stake = chips(
    'Stake',
    'stake',
    house.stakes.map((cents) => [String(cents), money(cents / 100)]),
    String(house.stakes[1]),
    'even',
  );
  const element = el(
    'section',
    { class: 'table' },
    el('p', { class: 'back' }, el('a', { href: '#lobby' }, '← All games')),
    el('h1', { class: 'title' }, found.name),
    el(
      'p',
      { class: 'about' },
      `${found.about}. Three of a kind win on ${house.lines.length} lines, and so do two of these from the left: `,
      picture(found.symbols[0], found.symbols[0]),
    ),
    el(
      'div',
      { class: 'cabinet' },
      picture(found.game_id),
      el('div', { class: 'reels', 'aria-hidden': 'true' }, reels),
      outcome,
    ),
    el('div', { class: 'play' }, stake, button),
  );
  const rest = [0, 1, 2].map((reel) => [0, 1, 2].map((row) => found.symbols[(reel * 2 + row * 3) % 7]));
  let seen = rest;
  reels.forEach((reel, place) => {
    reel.replaceChildren(strip(rest[place]));
  });
  if (me.signed_in) void track(found);

  async function turn() {
    if (!me.signed_in) return openEntrance();
    button.disabled = true;
    outcome.classList.remove('won');
    outcome.textContent = ' ';
    try {
      const cents = Number(element.querySelector('[name=stake]:checked').value);
      const result = await spin(found.game_id, cents);
      const columns = [0, 1, 2].map((reel) => result.rows.map((row) => row[reel]));
      await Promise.all(reels.map((reel, place) => roll(reel, found.symbols, seen[place], columns[place], place)));
      seen = columns;
      showOutcome(result);
      pay(result.wallet);
    } catch (error) {
      outcome.textContent = error.message;
    }
    button.disabled = false;
    button.focus();
  }

  function showOutcome({ wins, won }) {
    for (const { line } of wins) {
      house.lines[line].forEach((row, reel) => {
        reels[reel].querySelectorAll('span')[row]?.firstElementChild.classList.add('won');
      });
    }
    outcome.classList.toggle('won', won > 0);
    outcome.textContent = won > 0 ? `You win ${money(won / 100)}` : 'Not this time.';
  }

  button.addEventListener('click', turn);
  return { element };
}

function strip(symbols) {
  return el(
    'div',
    { class: 'strip' },
    symbols.map((symbol) => el('span', {}, picture(symbol))),
  );
}

/** Turns one reel from the shown symbols to the drawn ones, which are at the top of the strip. */
async function roll(reel, symbols, from, to, place) {
  const between = Array.from({ length: passing[place] }, (_, step) => symbols[(step * 3 + place) % symbols.length]);
  const long = strip([...to, ...between, ...from]);
  reel.replaceChildren(long);
  const share = ((between.length + from.length) / (between.length + 2 * from.length)) * 100;
  const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const motion = long.animate([{ transform: `translateY(-${share}%)` }, { transform: 'translateY(0)' }], {
    duration: prefersReducedMotion ? 0 : turnMs[place],
    easing: 'cubic-bezier(.2,.7,.2,1)',
  });
  await motion.finished;
  reel.replaceChildren(strip(to));
}

/** Sends an event of the site (`Crm.track`), which can start campaigns. */
async function track(found) {
  const crm = await ready;
  await crm.track('game_opened', { game_id: found.game_id }).catch(() => {});
}
