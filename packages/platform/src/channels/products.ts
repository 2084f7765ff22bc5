/*
 * In some markets, marketing for a product needs the player's consent for this product on this channel. The rules of contact check it
 * when a step of a campaign or a bulk action orders the message. The message may be sent much later, so each sender passes the products
 * of the message to the gate, which checks the consents again.
 *
 * The products are those of the version that the run of the message follows. They are read together with the message, so a message needs no
 * additional query. If its campaign has no products, its run is not read either. The products of a bulk message are those of its action.
 *
 * If the run is gone, or the key does not name one, the products of all versions of the campaign count. So the message may be withheld for
 * a product that it is not about, but it is never sent without a consent that it needs.
 */

/** SQL of a column of the message `q`: whether a campaign or a bulk action ordered it, so that it keeps quiet hours (gate/request.ts). */
export const keepsQuietHours = `(q.created_by like 'campaign %' or exists (
    select from bulk_player m where m.player_id = q.player_id and m.message_id = q.message_id)) as "keepsQuietHours"`;

/** What a message is about. Null if its campaign or bulk action has no products, and for a message that neither ordered. */
export interface AboutProducts {
  products: readonly string[] | null;
}

/** SQL of a column `products` for a message `q`. @param key SQL of the key with which the run ordered it: campaign <run_id> <step> */
export function productsOf(key = 'q.request_key'): string {
  return `coalesce((select case when a.products <> '{}' then coalesce(
                     (select coalesce(a.products -> r.version_id::text, 'null') from campaign_run r where r.run_id = ${runIn(key)}),
                     (select jsonb_agg(distinct product) from jsonb_each(a.products) v, jsonb_array_elements(v.value) product)) end
             from campaign_active a
            where q.purpose = 'marketing' and a.brand_id = q.brand_id and a.code = q.campaign_id
              and q.created_by = 'campaign ' || a.code),
            case when q.purpose = 'marketing' and q.created_by not like 'campaign %' then (
              select b.products from bulk_player m join bulk_progress b using (action_id)
               where m.player_id = q.player_id and m.message_id = q.message_id) end) as products`;
}

/**
 * Null if the key has another form. A cast that fails would end the statement, and one such message would stop the others of its
 * batch.
 */
function runIn(key: string): string {
  return `(case when ${key} ~ '^campaign [0-9]{1,18} ' then split_part(${key}, ' ', 2)::bigint end)`;
}

/** SQL of the key with which a message of the site was ordered. Another table contains it. */
export const keyOfNotification = `(select o.request_key from notification_request o
                       where o.player_id = q.player_id and o.message_id = q.message_id and o.request_key like 'campaign %')`;

/** The field `about` of a request to the gate. @param channel of the message; the gate may decide about another channel's consent */
export function aboutOf(channel: string, { products }: AboutProducts) {
  return products === null ? {} : { about: { channel, products } };
}
