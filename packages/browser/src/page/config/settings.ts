import type { Texts } from './texts.ts';

/** Each switches functions of `Crm` on. */
export type Flag = 'enableEventTracking' | 'enablePendingRewards' | 'enableCrmIntegration';

/** What the page configured, read once at `init` (docs/reference/interface.md, Endpoints D); every key has its default here. */
export interface Settings extends Record<Flag, boolean> {
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
