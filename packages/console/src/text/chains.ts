/** Texts for verifying a chain of seals. */
const en = {
  verify: 'Verify now',
  verifying: 'Verifying',
  intact: 'The chain is intact.',
  broken: 'The chain is broken',
  seals: 'Seals',
  head: 'Last seal',
  headAbout: 'Store this number and digest outside of the platform. You can compare them with a later verification.',
  begin: 'Nothing has been verified on this page yet.',
};

const de: typeof en = {
  verify: 'Jetzt prüfen',
  verifying: 'Wird geprüft',
  intact: 'Die Kette ist vollständig.',
  broken: 'Die Kette ist gebrochen',
  seals: 'Siegel',
  head: 'Letztes Siegel',
  headAbout:
    'Bewahren Sie Nummer und Fingerabdruck außerhalb der Plattform auf, um sie bei einer späteren Prüfung zu vergleichen.',
  begin: 'Auf dieser Seite wurde noch nichts geprüft.',
};

export const chains = { en, de };
