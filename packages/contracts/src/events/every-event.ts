import { informational } from '../fields/field.ts';
import { freeObject } from '../fields/free.ts';
import { id } from '../fields/id.ts';
import { label } from '../fields/text.ts';
import { eventTimestamp } from '../fields/timestamp.ts';

/** Fields with the same meaning in every kind of event. */
export const userId = id('Identifier of the player on the operator platform.');
export const timestamp = eventTimestamp('Time of the event.');
export const origin = label('Label of the operator site that the event comes from, such as www.example.com.');
export const meta = informational(freeObject('Free keys and values.'));
