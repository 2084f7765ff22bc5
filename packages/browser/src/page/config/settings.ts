/** What the page configured, read once at `init` (interface.md section D); every key has its default here. */
export interface Settings {
  version: '1.0' | '1.1';
  autoInit: boolean;
  enableEventTracking: boolean;
  enablePendingRewards: boolean;
  enableCrmIntegration: boolean;
  /** Of the service worker that shows pushes, on the page's own origin. Empty: page/push/push.ts knows where to look. */
  pushWorkerUrl: string;
  inbox: {
    /** Never true below 1.1. */
    enable: boolean;
    /** Without a leading '#'. */
    badgeId: string | null;
    /** Empty: ours. */
    navBarLogo: string;
    /** Empty: the brand's, which the sign-in tells. */
    contactEmail: string;
    termsAboveButtons: boolean;
    closeModalOnFogClick: boolean;
  };
  texts: Texts;
}

/** `window.crm.translations`, spelt as the interface spells them, and those that we added beside them. */
export interface Texts {
  recieved: string;
  validUntil: string;
  questionsTop: string;
  questionsShort: string;
  deleteMessagePrompt: string;
  inboxEmpty: string;
  readMore: string;
  /** Ours: names of buttons and states, for screen readers and eyes. */
  [added: string]: string;
}
