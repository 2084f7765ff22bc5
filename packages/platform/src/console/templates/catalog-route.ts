import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { channelFields, templateChannels, templateVariables } from '../../channels/index.ts';
import { windowsInWords } from '../../derive/index.ts';
import { listFields } from '../../segments/fields/index.ts';
import { readCatalog } from '../../segments/membership/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { Channel, tag } from './schemas.ts';

const kinds = ['html', 'mjml', 'plain', 'link', 'choice', 'data', 'block'] as const;

export const templateCatalogEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/template-catalog',
  tag,
  summary: 'What templates can contain: the fields of each channel, and the variables',
  may: 'player.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    channels: Type.Array(
      Type.Object({
        channel: Channel,
        fields: Type.Array(
          Type.Object({
            name: Type.String(),
            kind: Type.Enum([...kinds], {
              description: 'How the field is written. data: an object whose texts are Liquid; choice: one of `values`',
            }),
            values: Type.Array(Type.String(), { description: 'For a choice: its values; the first is the default' }),
          }),
        ),
      }),
    ),
    variables: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['player.first_name'] }),
        title: Type.String(),
        windows: Nullable(
          Type.Enum(['every', 'favorite'], {
            description: `Further windows that you can append to the name, such as _7d. every: ${windowsInWords}; favorite: 30d and 90d. null: none`,
          }),
        ),
      }),
      {
        description:
          'Traits are listed for the lifetime and with the usual windows. `event`, `campaign` and `offer` contain the fields of the cause of the message, with any names.',
      },
    ),
  }),
});

/** Rules call a field `profile.country`; templates call it `player.country`. Templates have no consents, tags and segments. */
const asVariable = (field: string): string | undefined => {
  if (field.startsWith('trait.')) return field;
  if (!field.startsWith('profile.')) return undefined;
  const own = 'profile.segmentation.';
  const key = field.startsWith(own) ? field.slice(own.length) : undefined;
  // Keys come from the operator, and may contain any characters.
  if (key !== undefined && !/^[A-Za-z_][\w-]*$/.test(key)) return `player.segmentation[${JSON.stringify(key)}]`;
  return field.replace('profile.', 'player.');
};

/** The catalog of an editor. */
export function templateCatalogRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  serve(app, templateCatalogEndpoint, async ({ brand }) => {
    const known = listFields(await readCatalog(pool, brand)).flatMap(({ name, title, windows }) => {
      const variable = asVariable(name);
      return variable === undefined ? [] : [{ name: variable, title, windows }];
    });
    const channels = templateChannels.map((channel) => ({
      channel,
      fields: Object.entries(channelFields[channel]).map(([name, { kind, values = [] }]) => ({
        name,
        kind,
        values: [...values],
      })),
    }));
    return { channels, variables: [...templateVariables, ...known] };
  });
}
