import type { Brand } from '../../brands/index.ts';
import {
  type CauseVariables,
  isTestPlayer,
  sendWords,
  type TemplateRow,
  UnfitNotification,
  type Words,
} from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import type { Access } from '../access/access.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { type AskedWords, wordsOf } from '../messages/words.ts';
import { knownPlayer } from '../players/known-player.ts';
import { Refused } from '../routing/refused.ts';
import { wrongFields } from '../routing/wrong-fields.ts';

const mark = '[Test] ';

/** The content request of a template, without its own text. */
const noWords = {
  display_type: 'push',
  title: '',
  message: '',
  preview_text: '',
  footer_text: '',
  data: '{}',
  image_url: '',
  cta_button_link: '',
  cta_button_text: '',
  cta_button2_link: '',
  cta_button2_text: '',
  subject: '',
  preheader: '',
  html: '',
  mjml: '',
  text: '',
  url: '',
  list: '',
  note: '',
} as const satisfies Partial<AskedWords>;

/**
 * Sends a template to one of the brand's test players, through the same path as every message: gate, queue, suppression list.
 * @throws {Refused}
 */
export async function sendTest(
  { code, channel, purpose, version }: TemplateRow,
  { user_id, language, ...variables }: { user_id: string; language?: string } & CauseVariables,
  { access, brand }: { access: Access; brand: Brand },
  deps: ConsoleDeps,
) {
  const { pool, signals } = deps;
  if (channel === 'block')
    throw new Refused('invalid_request', {
      en: `${code} is a block, not a message. Use a template of another channel.`,
      de: `${code} ist ein Baustein und keine Nachricht. Verwenden Sie eine Vorlage eines anderen Kanals.`,
    });
  if (!isTestPlayer(brand, user_id))
    throw new Refused('forbidden', {
      en: `${user_id} is not one of the test players; see the brand setting test_players`,
      de: `${user_id} ist kein Testspieler: siehe die Einstellung test_players der Marke`,
    });
  const player = await knownPlayer(pool, brand, user_id);
  const asked = {
    ...noWords,
    channel,
    purpose,
    template: code,
    variables,
    ...(language === undefined ? {} : { language }),
  };
  const said = await wordsOf(asked, player, brand, deps);
  const terms = {
    purpose,
    brand_id: brand.brand_id,
    player_id: player.player_id,
    campaign_id: null,
    expires_at: null,
    created_by: access.actor,
    request_key: null,
  };
  const {
    signals: written,
    repeated: _,
    ...made
  } = await transaction(pool, async (tx) => {
    const created = await sendWords(tx, deps, terms, marked(said)).catch((error: unknown) => {
      if (error instanceof UnfitNotification) throw wrongFields(error.errors);
      throw error;
    });
    const details = { version, message_id: created.message_id, state: created.state };
    await record(deps, access, { action: 'template.test_sent', brand, subject: `template ${code}`, details }, tx);
    return created;
  });
  signals.poke(written);
  return made;
}

/** Marks a message as a test. Webhooks get no mark, because the programs that read them would not understand it. */
function marked(said: Words): Words {
  switch (said.channel) {
    case 'email':
      return { ...said, content: { ...said.content, subject: `${mark}${said.content.subject}` } };
    case 'sms':
      return { ...said, content: { ...said.content, text: `${mark}${said.content.text}` } };
    case 'telephone':
    case 'post_mail':
      return { ...said, content: { ...said.content, note: `${mark}${said.content.note}` } };
    case 'site':
    case 'push':
      return { ...said, content: { ...said.content, title: `${mark}${said.content.title}` } };
    case 'operator':
      return { ...said, content: { ...said.content, title: `${mark}${said.content.title}` } };
    case 'webhook':
      return said;
    default:
      return said satisfies never;
  }
}
