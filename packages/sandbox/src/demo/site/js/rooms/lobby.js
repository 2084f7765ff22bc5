import { el, picture } from '../dom.js';
import { house, me } from '../house.js';
import { openEntrance } from './entrance.js';
import { rewards } from './rewards.js';

/** The games, and the rewards of the signed-in player. */
export function lobby() {
  const waiting = me.signed_in && !me.is_excluded ? rewards() : null;
  const element = el(
    'div',
    {},
    me.signed_in ? welcomeBack(waiting?.element) : welcome(),
    el('div', { class: 'row-title' }, el('h2', {}, 'Tonight'), el('p', {}, `${house.games.length} games`)),
    el(
      'ul',
      { class: 'games' },
      house.games.map((game) =>
        el(
          'li',
          {},
          el(
            'a',
            { class: 'tile', href: `#game/${game.game_id}` },
            picture(game.game_id),
            el('span', { class: 'tile-text' }, el('b', {}, game.name), el('span', {}, game.about)),
          ),
        ),
      ),
    ),
  );
  return { element, left: () => waiting?.left() };
}

function welcome() {
  return el(
    'section',
    { class: 'hero' },
    el(
      'div',
      { class: 'hero-words' },
      el('p', { class: 'overline' }, 'Open all night'),
      el('h1', {}, 'A quiet evening, and a little luck.'),
      el(
        'p',
        {},
        'Four games, an inbox for your messages, and no real money. Sign in as a regular player, or create an account.',
      ),
      el('button', { class: 'gold', type: 'button', onclick: openEntrance }, 'Come in'),
    ),
    el(
      'div',
      { class: 'fan' },
      ['crown', 'seven', 'lantern'].map((symbol) => el('span', {}, picture(symbol))),
    ),
  );
}

function welcomeBack(waiting) {
  return el(
    'section',
    { class: 'hero' },
    el(
      'div',
      { class: 'hero-words' },
      el('p', { class: 'overline' }, greeting(new Date().getHours())),
      el('h1', {}, `Welcome, ${me.first_name}.`),
      el(
        'p',
        {},
        me.is_excluded
          ? 'You cannot play while your exclusion lasts. Take all the time you need.'
          : 'The bell at the top opens your messages. The casino publishes your bets and wins to the platform as they happen.',
      ),
    ),
    waiting,
  );
}

function greeting(hour) {
  // After midnight the greeting is still "Good evening", because "Good night" is said when leaving.
  if (hour < 5 || hour >= 18) return 'Good evening';
  return hour < 12 ? 'Good morning' : 'Good afternoon';
}
