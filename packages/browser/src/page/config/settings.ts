import type { Texts } from './texts.ts';

/** Each flag enables some functions of `Crm`. */
export type Flag = 'enableEventTracking' | 'enablePendingRewards' | 'enableCrmIntegration';

/**
 * The page's configuration, read once at `init` (docs/reference/interface.md, Endpoints D). Every key that the page
 * does not set has its default value here.
 */
export interface Settings extends Record<Flag, boolean> {
  /** Address of the service worker that shows pushes, on the page's own origin. If empty, page/push/push.ts chooses it. */
  pushWorkerUrl: string;
  inbox: {
    /** Never true below version 1.1. */
    enable: boolean;
    /** Id of the page's element that shows the unread count, without a leading '#'. */
    badgeId: string | null;
    /** Address of the logo. If it is empty, our logo is shown. */
    navBarLogo: string;
    /** The contact address. If it is empty, the brand's address is used, which the sign-in returns. */
    contactEmail: string;
    termsAboveButtons: boolean;
    closeModalOnFogClick: boolean;
  };
  texts: Texts;
}
