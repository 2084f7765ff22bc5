export const capChannels = ['site', 'push', 'email', 'sms', 'telephone', 'post_mail', 'webhook', 'operator'] as const;
export const purposes = ['marketing', 'service'] as const;
export type Channel = (typeof capChannels)[number];
export type Purpose = (typeof purposes)[number];

/** At most `times` messages within a duration. A cap without a channel or purpose counts those of all of them. */
export interface Cap {
  channel?: Channel | null;
  purpose?: Purpose | null;
  times: number;
  within: string;
}

/** The contact rules as the platform stores them. */
export interface Rules {
  quiet_hours: { from: string; to: string };
  frequency_caps: Cap[];
  holdout: { percent: number };
  campaign_approval: { players: number; money: string };
  product_consents: { product: string; channel: Channel; consent: string }[];
}

/** The groups of rules that the user changed, as they are sent. */
export type Changes = Partial<Pick<Rules, 'quiet_hours' | 'frequency_caps' | 'holdout' | 'campaign_approval'>>;

/** What the user changed. The field of the percentage can be empty. */
export interface Draft extends Omit<Changes, 'holdout'> {
  holdout?: { percent: number | string };
}

export const changesOf = ({ holdout, ...others }: Draft): Changes => ({
  ...others,
  ...(holdout && { holdout: { percent: Number(holdout.percent) } }),
});
