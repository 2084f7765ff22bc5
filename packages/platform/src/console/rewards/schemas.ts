import { Type } from 'typebox';
import { intentStates } from '../../actions/index.ts';
import { BrandParams } from '../routing/fields.ts';

export const strict = { additionalProperties: false };

export const tag = 'Bonuses';

export const IntentId = Type.String({ format: 'uuid', description: 'Also the Idempotency-Key of its calls' });

export const State = Type.Enum([...intentStates]);

export const IntentParams = Type.Object({ brand: BrandParams.properties.brand, intent_id: IntentId });
