import type { Fields } from './template/draft.ts';

export const channels = [
  'email',
  'site',
  'push',
  'sms',
  'webhook',
  'operator',
  'telephone',
  'post_mail',
  'block',
] as const;
export type Channel = (typeof channels)[number];
export type Starter = 'letter' | 'offer' | 'html' | 'empty' | 'layout' | 'signature';

const letter = `<mjml>
  <mj-head>
    <mj-preview>We have something for you</mj-preview>
    <mj-attributes>
      <mj-all font-family="Arial, sans-serif" />
      <mj-text font-size="16px" line-height="1.5" color="#1a1a1a" />
      <mj-button background-color="#4444dd" border-radius="6px" font-size="16px" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#f4f4f7">
    <mj-section background-color="#ffffff" padding="32px 16px">
      <mj-column>
        <mj-text font-size="24px" font-weight="bold">Hello {{ player.first_name | default: "there" }},</mj-text>
        <mj-text>Write what you have to say here.</mj-text>
        <mj-button href="https://casino.example/">Go to {{ brand.name }}</mj-button>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;

const pictureLine = '        <mj-image src="PICTURE" alt="Ten free spins" border-radius="8px" />\n';

const offer = letter
  .replace('      <mj-column>\n', `      <mj-column>\n${pictureLine}`)
  .replace('Write what you have to say here.', 'Ten free spins are waiting for you. They are yours until Sunday.')
  .replace('Go to {{ brand.name }}', 'Take the spins');

const layout = `<div>
  <p><strong>{{ brand.name }}</strong></p>
  {% block content %}{% endblock %}
  <p>{{ brand.support_contact }}</p>
</div>
`;

const site = {
  event: 'inbox',
  title: 'Ten free spins for {{ player.first_name | default: "you" }}',
  preview_text: 'They are yours until Sunday.',
  message: '<p>Ten free spins are waiting for you. They are yours until Sunday.</p>',
  cta_button_text: 'Play now',
  cta_button_link: '/games',
};

const text = 'Hello {{ player.first_name | default: "there" }}, ten free spins are waiting for you.';

/** The initial text of a new template, by channel. It is in English, and could be sent unchanged. */
export const starters: Readonly<Record<Channel, Readonly<Partial<Record<Starter, Fields>>>>> = {
  email: {
    letter: { subject: 'Hello {{ player.first_name | default: "there" }}', mjml: letter },
    offer: { subject: 'Ten free spins for you', mjml: offer },
    html: {
      subject: 'Hello {{ player.first_name | default: "there" }}',
      preheader: 'We have something for you',
      html: '<p>Hello {{ player.first_name | default: "there" }},</p>\n<p>Write what you have to say here.</p>\n',
    },
  },
  site: { empty: site },
  push: { empty: site },
  sms: { empty: { text } },
  webhook: {
    empty: {
      url: 'https://crm.example/hook',
      body: { user_id: '{{ player.user_id }}', name: '{{ player.first_name }}' },
    },
  },
  operator: { empty: { title: 'Ten free spins', text, data: {} } },
  telephone: { empty: { list: 'vip', note: 'Ask how the weekend was.' } },
  post_mail: { empty: { list: 'birthday', note: 'A card with a personal line.' } },
  block: {
    signature: { body: '<p>Yours,<br />{{ brand.name }}</p>\n' },
    layout: { body: layout },
  },
};

/**
 * Returns a starter with an image of the library. If the library is empty, the starter has no image, because a broken
 * address would be sent. Pure.
 *
 * @param url of the image
 */
export function withPicture(fields: Fields, url: string | undefined): Fields {
  const { mjml } = fields;
  if (typeof mjml !== 'string') return { ...fields };
  return { ...fields, mjml: url === undefined ? mjml.replace(pictureLine, '') : mjml.replace('PICTURE', url) };
}
