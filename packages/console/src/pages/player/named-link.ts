import type { About } from '../../api/named.ts';

interface NamedLink {
  /** Path of its page, below the brand. */
  to: string;
  /** The campaign, segment or template whose name is shown. */
  about?: About;
}

/** Returns the page of the object that a field of the details refers to; undefined if it refers to none. Pure. */
export function namedLink(field: string, value: string): NamedLink | undefined {
  const id = encodeURIComponent(value);
  switch (field) {
    case 'campaign':
    case 'campaign_id':
    case 'activity_id':
      return { to: `campaigns/${id}`, about: { campaign: value } };
    case 'segment':
      return { to: `segments/${id}`, about: { segment: value } };
    case 'template':
      return { to: `messages/templates/${id}`, about: { template: value } };
    case 'run_id':
      return { to: `runs/${id}` };
    case 'intent_id':
      return { to: `rewards/intents/${id}` };
    case 'user_id':
      return { to: `players/${id}` };
    default:
      return undefined;
  }
}

/** Returns the details of a timeline entry, with the field of a segment named `segment` instead of `code`. Pure. */
export function detailsOf({ type, ...values }: { type: string; [field: string]: unknown }): Record<string, unknown> {
  if (type !== 'segment') return values;
  const { code, ...others } = values;
  return { segment: code, ...others };
}
