import { Group, Stack, Text } from '@mantine/core';
import type { SentOn } from '../../../api/named.ts';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useBaseCurrency } from '../../../ui/money.tsx';
import { useBonusCodes } from '../draft/catalogs.ts';
import { useEditing } from '../draft/editing.ts';
import { type Kind, kindIn, type Place, read, readText, type StepPlace, write } from '../draft/edits.ts';
import { BranchForm, SplitForm } from './arm-forms.tsx';
import { Alternatives } from './choices.tsx';
import { EventFields } from './event-fields.tsx';
import { ChoiceField, DurationField, NamedField, NumberField, OfferedField, TextField } from './fields.tsx';
import { ProductsField } from './products-field.tsx';
import { RuleField } from './rule-field.tsx';
import { StepId } from './step-id.tsx';
import { Presence } from './switch.tsx';
import { TagField } from './tag-field.tsx';

/** The form of a step. The steps in its arms have separate forms. */
export function StepForm({ list, at }: StepPlace) {
  const { draft } = useEditing();
  const place = [...list, at];
  const kind = kindIn(read(draft, place));
  return (
    <Stack>
      <StepId place={place} />
      {kind !== undefined && <Fields kind={kind} place={[...place, kind]} />}
    </Stack>
  );
}

function Fields({ kind, place }: { kind: Kind; place: Place }) {
  switch (kind) {
    case 'send':
      return <SendFields place={place} />;
    case 'wait':
      return <WaitFields place={place} />;
    case 'branch':
      return <BranchForm place={place} />;
    case 'split':
      return <SplitForm place={place} />;
    case 'credit':
    case 'credit_funds':
    case 'offer':
      return <BonusFields kind={kind} place={place} />;
    case 'tag':
    case 'untag':
      return <TagField place={place} />;
    case 'webhook':
      return <TemplateField place={place} channel="webhook" />;
    case 'call_list':
      return <TemplateField place={place} channel="telephone" />;
    case 'exit':
      return <ExitFields place={place} />;
    default:
      return kind satisfies never;
  }
}

function SendFields({ place }: { place: Place }) {
  const words = useWords(campaignEditor);
  const { draft } = useEditing();
  const channels = Object.keys(words.channels) as (keyof typeof words.channels)[];
  const channel = readText(draft, [...place, 'channel']);
  return (
    <Group grow align="flex-start">
      <ChoiceField
        place={[...place, 'channel']}
        label={words.channel}
        isRequired
        data={Object.entries(words.channels).map(([value, label]) => ({ value, label }))}
      />
      <TemplateField place={place} channel={channels.find((one) => one === channel)} />
    </Group>
  );
}

function TemplateField({ place, channel }: { place: Place; channel: SentOn | undefined }) {
  const words = useWords(campaignEditor);
  return (
    <NamedField
      list="templates"
      sentOn={channel}
      place={[...place, 'template']}
      label={words.template}
      isRequired
      placeholder={words.chooseTemplate}
      nothing={words.noTemplates}
    />
  );
}

type WaitKind = 'for' | 'until' | 'event' | 'rule';

const waits: Readonly<Record<WaitKind, unknown>> = {
  for: { for: 'PT1H' },
  until: { until: '18:00' },
  event: { event: 'login', timeout: 'P3D' },
  rule: { rule: { combinator: 'and', rules: [] }, timeout: 'P3D' },
};

function WaitFields({ place }: { place: Place }) {
  const words = useWords(campaignEditor);
  const { draft, change } = useEditing();
  const wait = read(draft, place) ?? {};
  const kind = (Object.keys(waits) as WaitKind[]).find((one) => one in (wait as object)) ?? 'for';
  return (
    <Stack gap="sm">
      <Alternatives
        label={words.kinds.wait}
        value={kind}
        of={words.waits}
        onChange={(to) => change(write(draft, place, waits[to]))}
      />
      {kind === 'for' && <DurationField place={[...place, 'for']} label={words.waitFor} />}
      {kind === 'until' && <UntilFields place={place} />}
      {kind === 'event' && <EventFields place={place} />}
      {kind === 'rule' && (
        <RuleField
          place={[...place, 'rule']}
          label={words.waits.rule}
          none={words.sums.nothing}
          add={words.addRule}
          isRequired
        />
      )}
      {(kind === 'event' || kind === 'rule') && <DurationField place={[...place, 'timeout']} label={words.timeout} />}
    </Stack>
  );
}

type UntilKind = 'time' | 'day' | 'moment';

const untils: Readonly<Record<UntilKind, { type: string; first: string }>> = {
  time: { type: 'time', first: '18:00' },
  day: { type: 'date', first: '' },
  moment: { type: 'datetime-local', first: '' },
};

function UntilFields({ place }: { place: Place }) {
  const words = useWords(campaignEditor);
  const { draft, change } = useEditing();
  const until = readText(draft, [...place, 'until']);
  const kind = untilKindOf(until);
  const label = words.untils[kind];
  return (
    <Stack gap="sm">
      <UntilKinds
        kind={kind}
        onChange={(to) => change(write(draft, [...place, 'until'], untils[to].first || today(to)))}
      />
      <Group grow align="flex-start">
        <TextField place={[...place, 'until']} label={label} type={untils[kind].type} isRequired />
        <ChoiceField
          place={[...place, 'zone']}
          label={words.zone}
          usual="player"
          data={Object.entries(words.zones).map(([value, name]) => ({ value, label: name }))}
        />
      </Group>
    </Stack>
  );
}

function UntilKinds({ kind, onChange }: { kind: UntilKind; onChange(kind: UntilKind): void }) {
  const words = useWords(campaignEditor);
  return <Alternatives label={words.until} value={kind} of={words.untils} onChange={onChange} />;
}

function untilKindOf(until: string): UntilKind {
  if (!until.includes('-')) return 'time';
  return until.includes('T') ? 'moment' : 'day';
}

/** Returns an initial date that the user can edit. An empty text would count as a time of day. */
const today = (kind: UntilKind) => `${new Date().toISOString().slice(0, 10)}${kind === 'moment' ? 'T18:00' : ''}`;

function BonusFields({ kind, place }: { kind: 'credit' | 'credit_funds' | 'offer'; place: Place }) {
  const words = useWords(campaignEditor);
  const { draft } = useEditing();
  const currency = useBaseCurrency();
  return (
    <Stack gap="sm">
      <Group grow align="flex-start">
        <OfferedField place={[...place, 'bonus_code']} label={words.bonusCode} data={useBonusCodes()} isRequired />
        <NumberField place={[...place, 'wagering']} label={words.wagering} description={words.wageringHint} />
      </Group>
      <ProductsField place={[...place, 'products']} description={words.bonusProductsHint} />
      {kind === 'credit_funds' && (
        <Group grow align="flex-start">
          <TextField place={[...place, 'amount']} label={words.amount} isRequired />
          <OfferedField
            place={[...place, 'currency']}
            label={words.currency}
            data={currency === '' ? [] : [currency]}
            isRequired
          />
        </Group>
      )}
      {kind === 'offer' && (
        <>
          <Presence place={[...place, 'expires_in']} label={words.expiry} first="P7D" />
          {read(draft, [...place, 'expires_in']) !== undefined && (
            <DurationField place={[...place, 'expires_in']} label={words.expires} units="MHDW" />
          )}
        </>
      )}
    </Stack>
  );
}

function ExitFields({ place }: { place: Place }) {
  const words = useWords(campaignEditor);
  return (
    <Stack gap="sm">
      <Text size="sm">{words.kindHints.exit}</Text>
      <TextField place={[...place, 'reason']} label={words.reason} description={words.reasonHint} />
    </Stack>
  );
}
