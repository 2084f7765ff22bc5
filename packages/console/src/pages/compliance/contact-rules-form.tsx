import { Button, Card, Group, Input, NumberInput, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { DurationInput } from '../../rule-builder/index.ts';
import { changedValues } from '../../settings-form/index.ts';
import { compliance } from '../../text/compliance.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useAct } from '../../ui/act.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { Rows } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { To } from '../../ui/to.tsx';

const capChannels = ['site', 'push', 'email', 'sms', 'telephone', 'post_mail', 'webhook', 'operator'] as const;
const purposes = ['marketing', 'service'] as const;
type Channel = (typeof capChannels)[number];
type Purpose = (typeof purposes)[number];

interface Cap {
  channel?: Channel | null;
  purpose?: Purpose | null;
  times: number;
  within: string;
}

interface Rules {
  quiet_hours: { from: string; to: string };
  frequency_caps: Cap[];
  holdout: { percent: number };
  campaign_approval: { players: number; money: string };
  product_consents: { product: string; channel: Channel; consent: string }[];
}

type Changes = Partial<Pick<Rules, 'quiet_hours' | 'frequency_caps' | 'holdout' | 'campaign_approval'>>;

/** What the user changed. The field of the percentage can be empty. */
interface Draft extends Omit<Changes, 'holdout'> {
  holdout?: { percent: number | string };
}

const changesOf = ({ holdout, ...others }: Draft): Changes => ({
  ...others,
  ...(holdout && { holdout: { percent: Number(holdout.percent) } }),
});

/**
 * The form of the contact rules. It saves only the groups that the user changed. So two people, or two tabs, who change different
 * groups keep each other's changes. A group that the user did not change is shown as it is stored.
 */
export function ContactRulesForm({ brand, rules }: { brand: string; rules: Rules }) {
  const { rules: words } = useWords(compliance);
  const nameOf = useCode();
  const named = (values: readonly string[]) => values.map((value) => ({ value, label: nameOf(value) }));
  const may = useMay()('channel.manage');
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>({});
  const { quiet_hours: quiet, frequency_caps: caps, holdout, campaign_approval: approval } = { ...rules, ...draft };
  const changed = changedValues({ ...rules }, { ...changesOf(draft) }) as Changes;
  const isChanged = Object.keys(changed).length > 0;
  const change = (part: Draft) => setDraft({ ...draft, ...part });
  const save = useAct(
    (sent: Changes) =>
      bodyOf(api.PUT('/api/console/v1/brands/{brand}/contact-rules', { params: { path: { brand } }, body: sent })),
    {
      touches: [brand, 'contact-rules'],
      done: words.saved,
      onDone: (stored) => queries.setQueryData([brand, 'contact-rules'], stored),
    },
  );
  const changeCap = (place: number, part: Partial<Cap>) =>
    change({ frequency_caps: caps.map((cap, at) => (at === place ? { ...cap, ...part } : cap)) });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isChanged) return;
        // What the user typed while the rules were saved stays.
        save.mutate(changed, {
          onSuccess: (_, sent) => setDraft((now) => changedValues({ ...sent }, { ...changesOf(now) }) as Draft),
        });
      }}
    >
      <LeaveGuard isChanged={may && isChanged} isSaving={save.isPending} />
      <Stack>
        <Card withBorder>
          <Title order={3} size="h4">
            {words.quiet}
          </Title>
          <Group>
            <TextInput
              type="time"
              label={words.from}
              value={quiet.from}
              onChange={({ currentTarget }) => change({ quiet_hours: { ...quiet, from: currentTarget.value } })}
            />
            <TextInput
              type="time"
              label={words.until}
              value={quiet.to}
              onChange={({ currentTarget }) => change({ quiet_hours: { ...quiet, to: currentTarget.value } })}
            />
          </Group>
        </Card>
        <Card withBorder>
          <Title order={3} size="h4">
            {words.caps}
          </Title>
          <Stack>
            {caps.length === 0 && <Text size="sm">{words.noCaps}</Text>}
            {caps.map(({ channel, purpose, times, within }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: caps have no id, and their fields have no state
              <Group key={place} align="flex-end">
                <NumberInput
                  label={words.times}
                  min={1}
                  w={90}
                  value={times}
                  onChange={(value) => changeCap(place, { times: Number(value) })}
                />
                <Input.Wrapper label={words.within} labelElement="div">
                  <DurationInput
                    label={words.within}
                    size="sm"
                    value={within}
                    units="MHDW"
                    onChange={(value) => changeCap(place, { within: value })}
                  />
                </Input.Wrapper>
                <Select
                  label={words.channel}
                  clearable
                  data={named(capChannels)}
                  value={channel ?? null}
                  onChange={(value) => changeCap(place, { channel: value as Channel | null })}
                />
                <Select
                  label={words.purpose}
                  clearable
                  data={named(purposes)}
                  value={purpose ?? null}
                  onChange={(value) => changeCap(place, { purpose: value as Purpose | null })}
                />
                <Button
                  variant="default"
                  onClick={() => change({ frequency_caps: caps.filter((_, at) => at !== place) })}
                >
                  {words.remove}
                </Button>
              </Group>
            ))}
            <Group>
              <Button
                variant="light"
                onClick={() => change({ frequency_caps: [...caps, { times: 1, within: 'P1D' }] })}
              >
                {words.add}
              </Button>
            </Group>
          </Stack>
        </Card>
        <Card withBorder>
          <Group align="flex-end">
            <NumberInput
              label={words.holdout}
              min={0}
              max={100}
              value={holdout.percent}
              onChange={(percent) => change({ holdout: { percent } })}
            />
          </Group>
          <Title order={3} size="h4" mt="md">
            {words.approval}
          </Title>
          <Group align="flex-end">
            <NumberInput
              label={words.approvalPlayers}
              min={0}
              placeholder={words.never}
              value={approval.players || ''}
              onChange={(value) => change({ campaign_approval: { ...approval, players: Number(value) } })}
            />
            <TextInput
              label={words.approvalMoney}
              placeholder={words.never}
              value={approval.money}
              onChange={({ currentTarget }) =>
                change({ campaign_approval: { ...approval, money: currentTarget.value } })
              }
            />
          </Group>
        </Card>
        <Card withBorder>
          <Title order={3} size="h4">
            {words.policies}
          </Title>
          <Text size="sm">
            {words.policiesAbout}{' '}
            <To to="compliance/policies" isSentence>
              {words.toPolicies}
            </To>
          </Text>
          {rules.product_consents.length === 0 ? (
            <Text size="sm">{words.noPolicies}</Text>
          ) : (
            <Rows
              items={rules.product_consents}
              keyOf={({ product, channel }) => `${product} ${channel}`}
              columns={[
                { title: words.product, show: ({ product }) => nameOf(product) },
                { title: words.ofChannel, show: ({ channel }) => nameOf(channel) },
                { title: words.consent, show: ({ consent }) => consent },
              ]}
            />
          )}
        </Card>
        <Group>
          <Button type="submit" disabled={!may || !isChanged} loading={save.isPending}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
