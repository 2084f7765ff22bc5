import { informational } from '../fields/field.ts';
import { origin, timestamp, userId } from './every-event.ts';
import { message } from './message.ts';

/**
 * The three updates only state that something changed. The platform then asks the operator for the new data
 * (docs/reference/interface.md, Events).
 */
const fields = { user_id: userId, timestamp, origin: informational(origin) };
const sample = { user_id: '7865312321', timestamp: '2026-03-02T08:20:00+01:00', origin: 'www.example.com' };

export const userUpdate = message({ kind: 'user_update', fields, samples: { user_update: sample } });
export const consentsUpdate = message({ kind: 'consents_update', fields, samples: { consents_update: sample } });
export const blocksUpdate = message({ kind: 'blocks_update', fields, samples: { blocks_update: sample } });
