import { byId, el } from '../dom.js';
import { house, signIn, signUp } from '../house.js';
import { dialog } from './dialog.js';

/** Sign in as one of the existing players, or sign up. */
export function openEntrance() {
  const wrong = el('p', { class: 'wrong', role: 'alert' });
  const enter = (act) =>
    act.then(
      () => byId('dialog').close(),
      (error) => {
        wrong.textContent = error.message;
      },
    );

  const people = el(
    'ul',
    { class: 'people' },
    house.players.map(({ user_id, name, about }) =>
      el(
        'li',
        {},
        el(
          'button',
          { class: 'person', type: 'button', onclick: () => enter(signIn(user_id)) },
          el('i', { 'aria-hidden': 'true' }, name[0]),
          el('span', {}, el('b', {}, name), el('small', {}, about)),
        ),
      ),
    ),
  );
  const form = el(
    'form',
    {
      onsubmit(event) {
        event.preventDefault();
        const given = new FormData(form);
        const names = { first_name: given.get('first_name'), last_name: given.get('last_name') };
        void enter(signUp({ ...names, offers: given.get('offers') !== null }));
      },
    },
    el('h3', {}, 'Or create an account'),
    el(
      'div',
      { class: 'pair' },
      el(
        'label',
        {},
        'First name',
        el('input', { type: 'text', name: 'first_name', required: true, maxlength: 40, autocomplete: 'given-name' }),
      ),
      el(
        'label',
        {},
        'Last name',
        el('input', { type: 'text', name: 'last_name', required: true, maxlength: 40, autocomplete: 'family-name' }),
      ),
    ),
    el(
      'label',
      { class: 'check' },
      // Never checked by default: consent must be given actively.
      el('input', { type: 'checkbox', name: 'offers' }),
      'Tell me about offers, on every channel',
    ),
    wrong,
    el('button', { class: 'gold', type: 'submit' }, 'Sign up'),
  );
  dialog('Come in', 'Sign in as one of the regulars. There is no password.', people, form);
}
