import type { FastifyInstance } from 'fastify';
import {
  blocksOf,
  type CauseVariables,
  chooseLanguage,
  playerVariables,
  readPlayerVariables,
  readWritten,
  type TemplateContent,
} from '../../channels/index.ts';
import { maskProfile } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { knownPlayer } from '../players/known-player.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { previewTemplateEndpoint } from './endpoints.ts';
import { knownTemplate, refuseTemplate } from './routes.ts';

/** Of a preview: it looks like one, and whoever follows it finds a page that says that the link is not ours. */
const previewLink = (publicLink: string) => publicLink.replace(/[^/]*$/, 'preview');

/** What templates make: previews. */
export function templateActionRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, links } = deps;

  serve(app, previewTemplateEndpoint, async ({ access, brand, params, body }) => {
    const template = await knownTemplate(deps, brand, params.code);
    const { user_id, languages, content = template.content, purpose = template.purpose, ...cause } = body;
    const written = { ...template, purpose: purpose as typeof template.purpose, content: content as TemplateContent };
    const read = await blocksOf(pool, brand)
      .then((blocks) => readWritten(written, brand, blocks))
      .catch(refuseTemplate);
    const unknown = languages?.find((language) => !read.languages.includes(language));
    if (unknown !== undefined)
      throw new Refused(
        'invalid_request',
        `languages: the template has no ${unknown}, but ${read.languages.join(', ')}`,
      );
    const { player, trait, profile } =
      user_id === undefined
        ? { player: {}, trait: {}, profile: null }
        : await readPlayerVariables(pool, brand, await knownPlayer(pool, brand, user_id), read.variables, clock());
    const unmasked = access.may('personal.read', brand);
    const shown =
      user_id === undefined || unmasked || profile === null ? player : maskProfile(playerVariables(user_id, profile));
    const to = {
      language: profile?.language ?? null,
      market: profile?.market ?? null,
      country: profile?.country ?? null,
      unsubscribe_url: previewLink(links.link({ brand_id: brand.brand_id, player_id: 0, channel: 'Email' })),
    };
    const variables = { player: shown, trait, ...(cause as CauseVariables) };
    const previews = (languages ?? read.languages).map((language) => {
      const { content: made, missing, errors } = read.compose(variables, to, language);
      return { language, content: { ...made }, missing, errors };
    });
    const language =
      user_id === undefined ? null : chooseLanguage(read.languages, to.language, brand.settings.default_language);
    return { code: template.code, version: template.version, channel: template.channel, language, previews };
  });
}
