/** Texts of single sign-on for the sign-in page, and after the identity provider has sent the browser back. */
const en = {
  with: (name: string) => `Sign in with ${name}`,
  or: 'or with a password',
  only: 'Sign-in here is possible only with single sign-on.',
  waiting: 'Signing in',
  back: 'Back to sign-in',
  refused: {
    unreachable: 'The identity provider cannot be reached. Try again later, or ask your administrator.',
    cancelled: 'You cancelled the sign-in at the identity provider.',
    rejected: 'The answer of the identity provider is not valid. Try again.',
    expired: 'The sign-in took too long, or began in another window. Try again.',
    no_account: 'There is no account with your e-mail here. Ask an administrator to add it.',
    no_role: 'None of your groups has a role here. Ask an administrator.',
    email_not_verified: 'The identity provider does not say that your e-mail is verified. Ask an administrator.',
    other_identity:
      'The account with your e-mail belongs to another person at the identity provider. Ask an administrator to unlink it.',
    disabled: 'Your account is disabled. Ask an administrator.',
  } as Record<string, string>,
};

const de: typeof en = {
  with: (name) => `Mit ${name} anmelden`,
  or: 'oder mit einem Passwort',
  only: 'Die Anmeldung ist hier nur per Single Sign-on möglich.',
  waiting: 'Anmeldung läuft',
  back: 'Zurück zur Anmeldung',
  refused: {
    unreachable:
      'Der Identitätsanbieter ist nicht erreichbar. Versuchen Sie es später, oder fragen Sie Ihre Administration.',
    cancelled: 'Sie haben die Anmeldung beim Identitätsanbieter abgebrochen.',
    rejected: 'Die Antwort des Identitätsanbieters ist ungültig. Versuchen Sie es noch einmal.',
    expired:
      'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Fenster begonnen. Versuchen Sie es noch einmal.',
    no_account: 'Hier gibt es kein Konto mit Ihrer E-Mail. Bitten Sie Ihre Administration, eines anzulegen.',
    no_role: 'Keine Ihrer Gruppen hat hier eine Rolle. Fragen Sie Ihre Administration.',
    email_not_verified:
      'Der Identitätsanbieter hat Ihre E-Mail nicht als geprüft gemeldet. Fragen Sie Ihre Administration.',
    other_identity:
      'Das Konto mit Ihrer E-Mail gehört beim Identitätsanbieter einer anderen Person. Bitten Sie Ihre Administration, die Verknüpfung zu lösen.',
    disabled: 'Ihr Konto ist deaktiviert. Fragen Sie Ihre Administration.',
  },
};

export const singleSignOn = { en, de };
