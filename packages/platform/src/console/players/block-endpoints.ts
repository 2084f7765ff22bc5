import { blockTypes } from '@croupier/contracts';
import { Type } from 'typebox';
import { endpoint } from '../routing/endpoint.ts';
import { PlayerParams } from '../routing/fields.ts';

export const setBlockEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/:user_id/blocks',
  tag: 'Players',
  summary: 'Set a block on a player, or take one away',
  description:
    'A block that is set counts from the answer on. One that is taken away counts until a look-up, asked for at once, finds it neither here nor at the operator. With the brand setting `operator.write_blocks` the operator is told of both.',
  may: 'player.protect',
  params: PlayerParams,
  body: Type.Object(
    {
      type: Type.Enum([...blockTypes]),
      active: Type.Boolean(),
      note: Type.String({ minLength: 1, maxLength: 2_000, description: 'Why; the operator gets it with the block' }),
    },
    { additionalProperties: false },
  ),
  status: 202,
  answer: Type.Object({ change_id: Type.Integer() }),
});
