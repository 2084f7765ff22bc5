/** Texts for revealing the personal data of a player. */
const en = {
  masked:
    'Your role sees masked personal data. You can reveal it for a reason. The audit records who revealed it, when and why.',
  reveal: 'Show personal data',
  reason: 'Why do you need it?',
  reasonHint: 'For example a ticket number. Do not enter personal data: other people read it in the audit.',
  hide: 'Hide again',
  shown: 'Shown, and recorded in the audit. It is hidden again when you leave this page.',
  notes: 'Notes of blocks',
};

const de: typeof en = {
  masked:
    'Ihre Rolle sieht persönliche Daten verdeckt. Mit einer Begründung können Sie sie anzeigen. Das Protokoll hält fest, wer sie wann und warum angezeigt hat.',
  reveal: 'Persönliche Daten anzeigen',
  reason: 'Wozu brauchen Sie sie?',
  reasonHint:
    'Zum Beispiel eine Vorgangsnummer. Geben Sie keine persönlichen Daten ein: Andere lesen sie im Protokoll.',
  hide: 'Wieder verdecken',
  shown: 'Angezeigt und protokolliert. Beim Verlassen der Seite werden die Daten wieder verdeckt.',
  notes: 'Notizen zu Sperren',
};

export const personal = { en, de };
