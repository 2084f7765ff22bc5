import type { View } from '../view.ts';

interface Asked {
  view: View;
  words: 'questionsTop' | 'questionsShort';
}

/** Where to ask: as the page says, else the brand; left out without an address. */
export function Questions({ view: { inbox, state, text }, words }: Asked) {
  const contactEmail = inbox.contactEmail || state.contactEmail;
  return (
    contactEmail && (
      <p class="crm-questions">
        {text(words)} <a href={`mailto:${encodeURI(contactEmail)}`}>{contactEmail}</a>
      </p>
    )
  );
}
