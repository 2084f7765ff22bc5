import type { View } from '../view.ts';

/** Where to ask; left out without an address. */
export function Questions({ view: { inbox, text }, words }: { view: View; words: 'questionsTop' | 'questionsShort' }) {
  const { contactEmail } = inbox;
  return (
    contactEmail && (
      <p class="crm-questions">
        {text(words)} <a href={`mailto:${encodeURI(contactEmail)}`}>{contactEmail}</a>
      </p>
    )
  );
}
