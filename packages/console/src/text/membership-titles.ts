/**
 * The titles of the fields segment.<code> and tag.<tag>, in the rule builder and in sentences. The English ones equal those in
 * the sentences of the platform.
 */
export const membershipTitles = {
  en: {
    segment: (name: string) => `member of the segment ${name}`,
    tag: (name: string) => `the tag ${name}`,
  },
  de: {
    segment: (name: string) => `Mitglied des Segments ${name}`,
    tag: (name: string) => `Schlagwort ${name}`,
  },
} as const;
