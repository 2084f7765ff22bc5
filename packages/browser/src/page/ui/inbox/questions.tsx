import type { View } from '../view.ts';

interface QuestionsProps {
  view: View;
  words: 'questionsTop' | 'questionsShort';
}

/** The contact address: the page's, otherwise the brand's. Without an address, nothing is shown. */
export function Questions({ view: { inbox, state, text }, words }: QuestionsProps) {
  const contactEmail = inbox.contactEmail || state.contactEmail;
  return (
    contactEmail && (
      <p class="crm-questions">
        {text(words)} <a href={`mailto:${encodeURI(contactEmail)}`}>{contactEmail}</a>
      </p>
    )
  );
}
