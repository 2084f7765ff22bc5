import { Button, Card, Group, Input, NumberInput, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { DurationInput } from '../../rule-builder/index.ts';
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

/** The form of the contact rules. It reads the rules when it is opened, and saves all of them together. */
export function ContactRulesForm({ brand, rules }: { brand: string; rules: Rules }) {
  const { rules: words } = useWords(compliance);
  const nameOf = useCode();
  const named = (values: readonly string[]) => values.map((value) => ({ value, label: nameOf(value) }));
  const may = useMay()('channel.manage');
  const [quiet, setQuiet] = useState(rules.quiet_hours);
  const [caps, setCaps] = useState(() => rules.frequency_caps.map((cap, place) => ({ ...cap, key: place })));
  const [holdout, setHoldout] = useState<number | string>(rules.holdout.percent);
  const [approval, setApproval] = useState(rules.campaign_approval);
  const body = {
    quiet_hours: quiet,
    frequency_caps: caps.map(({ key: _, ...cap }) => cap),
    holdout: { percent: Number(holdout) },
    campaign_approval: approval,
  };
  const text = JSON.stringify(body);
  const [saved, setSaved] = useState(text);
  const save = useAct(
    (sent: typeof body) =>
      api.PUT('/api/console/v1/brands/{brand}/contact-rules', { params: { path: { brand } }, body: sent }),
    { touches: [brand, 'contact-rules'], done: words.saved },
  );
  const changeCap = (key: number, change: Partial<Cap>) =>
    setCaps(caps.map((cap) => (cap.key === key ? { ...cap, ...change } : cap)));
  const added = () => ({ key: Math.max(-1, ...caps.map(({ key }) => key)) + 1, times: 1, within: 'P1D' });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(body, { onSuccess: () => setSaved(text) });
      }}
    >
      <LeaveGuard isChanged={may && text !== saved} />
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
              onChange={({ currentTarget }) => setQuiet({ ...quiet, from: currentTarget.value })}
            />
            <TextInput
              type="time"
              label={words.until}
              value={quiet.to}
              onChange={({ currentTarget }) => setQuiet({ ...quiet, to: currentTarget.value })}
            />
          </Group>
        </Card>
        <Card withBorder>
          <Title order={3} size="h4">
            {words.caps}
          </Title>
          <Stack>
            {caps.length === 0 && <Text size="sm">{words.noCaps}</Text>}
            {caps.map(({ key, channel, purpose, times, within }) => (
              <Group key={key} align="flex-end">
                <NumberInput
                  label={words.times}
                  min={1}
                  w={90}
                  value={times}
                  onChange={(value) => changeCap(key, { times: Number(value) })}
                />
                <Input.Wrapper label={words.within} labelElement="div">
                  <DurationInput
                    label={words.within}
                    size="sm"
                    value={within}
                    units="MHDW"
                    onChange={(value) => changeCap(key, { within: value })}
                  />
                </Input.Wrapper>
                <Select
                  label={words.channel}
                  clearable
                  data={named(capChannels)}
                  value={channel ?? null}
                  onChange={(value) => changeCap(key, { channel: value as Channel | null })}
                />
                <Select
                  label={words.purpose}
                  clearable
                  data={named(purposes)}
                  value={purpose ?? null}
                  onChange={(value) => changeCap(key, { purpose: value as Purpose | null })}
                />
                <Button variant="default" onClick={() => setCaps(caps.filter((cap) => cap.key !== key))}>
                  {words.remove}
                </Button>
              </Group>
            ))}
            <Group>
              <Button variant="light" onClick={() => setCaps([...caps, added()])}>
                {words.add}
              </Button>
            </Group>
          </Stack>
        </Card>
        <Card withBorder>
          <Group align="flex-end">
            <NumberInput label={words.holdout} min={0} max={100} value={holdout} onChange={setHoldout} />
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
              onChange={(value) => setApproval({ ...approval, players: Number(value) })}
            />
            <TextInput
              label={words.approvalMoney}
              placeholder={words.never}
              value={approval.money}
              onChange={({ currentTarget }) => setApproval({ ...approval, money: currentTarget.value })}
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
          <Button type="submit" disabled={!may} loading={save.isPending}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
