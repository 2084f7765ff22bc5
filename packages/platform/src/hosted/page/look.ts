import { type Brand, supportEmail } from '../../brands/index.ts';

/** The look of a page: that of its brand, or a plain one if no brand is known. */
export interface Look {
  /** Null without a brand. */
  name: string | null;
  /** `origin` is allowed for images by the page's policy. */
  logo: { url: string; origin: string } | null;
  /** `#rrggbb` */
  color: string;
  contact: { text: string; url: string | null } | null;
}

const plainColor = '#3b49df';

export const plainLook: Look = { name: null, logo: null, color: plainColor, contact: null };

export function lookOf(brand: Brand): Look {
  const { display_name, logo_url, brand_color, support_contact } = brand.settings;
  return {
    name: display_name || brand.name,
    logo: logoOf(logo_url),
    color: brand_color || plainColor,
    contact: support_contact === '' ? null : contactOf(support_contact),
  };
}

/**
 * An origin is inserted into a header, so it must not contain characters with a meaning there; a logo from such an origin is
 * omitted.
 */
function logoOf(address: string): Look['logo'] {
  if (!URL.canParse(address)) return null;
  const { origin, href } = new URL(address);
  return /^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(origin) ? { url: href, origin } : null;
}

/** An e-mail address or a web address becomes a link; anything else, such as a telephone number, is shown unchanged. */
function contactOf(text: string): NonNullable<Look['contact']> {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return { text: new URL(text).host, url: text };
  const email = supportEmail(text);
  return email === null ? { text, url: null } : { text: email, url: `mailto:${email}` };
}
