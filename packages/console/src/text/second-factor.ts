/** Texts of the second factor: at sign-in, and on the page of the user's account. */
const en = {
  signIn: {
    title: 'Second factor',
    about: {
      passkey: 'Confirm with your passkey.',
      totp: 'Enter the 6-digit code that your authenticator app shows.',
      recovery_code: 'Enter one of your recovery codes. Each code works once.',
    },
    field: { totp: 'Code', recovery_code: 'Recovery code' },
    submit: 'Sign in',
    usePasskey: 'Use passkey',
    other: { passkey: 'Use a passkey', totp: 'Use the authenticator app', recovery_code: 'Use a recovery code' },
    refused: {
      passkey: 'The passkey was not accepted, or the sign-in took longer than 5 minutes.',
      totp: 'The code is wrong or was already used, or the sign-in took longer than 5 minutes.',
      recovery_code: 'The recovery code is wrong or was already used, or the sign-in took longer than 5 minutes.',
    },
    noPasskey: 'The browser returned no passkey. Try again, or use another method.',
    back: 'Back to e-mail and password',
  },
};

const de: typeof en = {
  signIn: {
    title: 'Zweiter Faktor',
    about: {
      passkey: 'Bestätigen Sie mit Ihrem Passkey.',
      totp: 'Geben Sie den 6-stelligen Code aus Ihrer Authenticator-App ein.',
      recovery_code: 'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder Code gilt einmal.',
    },
    field: { totp: 'Code', recovery_code: 'Wiederherstellungscode' },
    submit: 'Anmelden',
    usePasskey: 'Passkey verwenden',
    other: {
      passkey: 'Passkey verwenden',
      totp: 'Authenticator-App verwenden',
      recovery_code: 'Wiederherstellungscode verwenden',
    },
    refused: {
      passkey: 'Der Passkey wurde nicht angenommen, oder die Anmeldung hat länger als 5 Minuten gedauert.',
      totp: 'Der Code ist falsch oder bereits verwendet, oder die Anmeldung hat länger als 5 Minuten gedauert.',
      recovery_code:
        'Der Wiederherstellungscode ist falsch oder bereits verwendet, oder die Anmeldung hat länger als 5 Minuten gedauert.',
    },
    noPasskey:
      'Der Browser hat keinen Passkey geliefert. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
    back: 'Zurück zu E-Mail und Passwort',
  },
};

export const secondFactor = { en, de };
