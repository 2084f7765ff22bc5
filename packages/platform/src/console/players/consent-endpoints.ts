import { consentTypes } from '@croupier/contracts';
import { Type } from 'typebox';
import { endpoint } from '../routing/endpoint.ts';
import { PlayerParams } from '../routing/fields.ts';

export const changeConsentsEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/:user_id/consents',
  tag: 'Players',
  summary: 'Change consents of a player: here at once, and then in the books of the operator',
  description:
    'From the answer on every decision counts with it. Only the types named change. `write-backs` of the player tells when the operator has them.',
  may: 'player.protect',
  params: PlayerParams,
  body: Type.Object(
    {
      changes: Type.Array(
        Type.Object({ type: Type.Enum([...consentTypes]), opted_in: Type.Boolean() }, { additionalProperties: false }),
        { minItems: 1, maxItems: consentTypes.length },
      ),
      note: Type.String({ minLength: 1, maxLength: 2_000, description: 'Why, for those who ask later' }),
    },
    { additionalProperties: false },
  ),
  status: 202,
  answer: Type.Object({ change_id: Type.Integer() }),
});
