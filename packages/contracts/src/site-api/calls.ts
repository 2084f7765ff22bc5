import type { Call } from '../calls/call.ts';
import { withCommonAnswers } from './common-answers.ts';
import { liveCalls } from './live-calls.ts';
import { notificationCalls } from './notification-calls.ts';
import { playerCalls } from './player-calls.ts';
import { pushCalls } from './push-calls.ts';
import { sessionCalls } from './session-calls.ts';

/** The site API of a brand: docs/reference/interface.md, Endpoints C, docs/reference/decisions.md 8, and additions of our own below /Crm. */
export const siteCalls: readonly Call[] = [
  ...sessionCalls,
  ...notificationCalls,
  ...liveCalls,
  ...playerCalls,
  ...pushCalls,
].map(withCommonAnswers);
