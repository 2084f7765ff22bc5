const en = {
  logo: 'Logo URL in the inbox',
  contact: 'E-mail address for questions',
  terms: 'Show terms above the buttons',
  fog: 'A click outside a modal closes it',
  enableEventTracking: 'Pages record events (Crm.track)',
  enablePendingRewards: 'Players see and claim offers (Crm.pendingRewards, Crm.claimReward)',
  enableCrmIntegration: 'Players see and change their consents (Crm.profile)',
  inbox: 'Inbox',
  size: 'Size',
  sample: {
    Title: 'Ten free spins for you',
    PreviewText: 'They are yours until Sunday.',
    Message: '<p>Ten free spins are waiting for you. They are yours until <b>Sunday</b>.</p>',
    CTAButtonText: 'Play now',
    CTAButton2Text: 'Not now',
    FooterText: '18+. Terms apply.',
    DisplayType: 'silent',
  },
};

const de: typeof en = {
  logo: 'Adresse des Logos im Postfach',
  contact: 'E-Mail-Adresse für Fragen',
  terms: 'Bedingungen über den Schaltflächen anzeigen',
  fog: 'Ein Klick neben das Fenster schließt es',
  enableEventTracking: 'Seiten melden Ereignisse (Crm.track)',
  enablePendingRewards: 'Spieler können Angebote sehen und annehmen (Crm.pendingRewards, Crm.claimReward)',
  enableCrmIntegration: 'Spieler können ihre Einwilligungen sehen und ändern (Crm.profile)',
  inbox: 'Postfach',
  size: 'Größe',
  sample: {
    Title: 'Zehn Freispiele für Sie',
    PreviewText: 'Sie gelten bis Sonntag.',
    Message: '<p>Zehn Freispiele warten auf Sie. Sie gelten bis <b>Sonntag</b>.</p>',
    CTAButtonText: 'Jetzt spielen',
    CTAButton2Text: 'Nicht jetzt',
    FooterText: 'Ab 18 Jahren. Es gelten die Teilnahmebedingungen.',
    DisplayType: 'silent',
  },
};

export const siteScript = { en, de };
