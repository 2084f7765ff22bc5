import { Type } from 'typebox';
import { templateChannels } from '../../channels/index.ts';
import { BrandParams } from '../routing/fields.ts';

export const strict = { additionalProperties: false };

export const tag = 'Templates';

export const Code = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  description: 'Code of the template within the brand. It cannot be changed. Lower case letters, digits, - and _',
});

export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Name of the template' });

export const Channel = Type.Enum([...templateChannels], {
  description: 'block: text that other templates include with {% render %} or {% layout %}',
});

/** The type of a field depends on the channel. Errors name the field. */
export const Fields = Type.Record(Type.String(), Type.Unknown());

export const Content = Type.Record(Type.String(), Fields, {
  description:
    'The fields of the channel, by language (BCP 47). site and push: event, display_type, title, message, preview_text, footer_text, data, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text, image_url. email: subject, preheader, mjml or html, text (default: made from the other). sms: text. webhook: url, body (an object). operator: title, text, data. telephone and post_mail: list, note. block: body. Texts are Liquid',
});

export const TemplateParams = Type.Object({ ...BrandParams.properties, code: Code });
