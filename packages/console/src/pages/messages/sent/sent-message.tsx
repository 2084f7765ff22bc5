import '../messages.css';
import { Card, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messages } from '../../../text/messages.ts';
import { sentMessages } from '../../../text/sent-messages.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { Fields } from '../../../ui/fields.tsx';
import { Rows } from '../../../ui/list.tsx';
import { Page, useAddressPart, useBrand } from '../../../ui/page.tsx';
import { To } from '../../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../../ui/unready-page.tsx';
import { Moment, Named, State, useNumber } from '../../../ui/values.tsx';
import { CampaignLink } from '../../campaign-link.tsx';
import { Cause } from '../../compliance/cause.tsx';
import { PlayerLink } from '../../player-link.tsx';
import { CreatedBy } from '../../rewards/created-by.tsx';
import { Frame, type FrameName, framesOf } from '../frames/frame.tsx';
import { brandQuery } from '../queries.ts';
import { type SentMessageShown, sentMessageQuery } from './queries.ts';

type Message = SentMessageShown['message'];

/** One e-mail, SMS, webhook or message by the operator's channel, with everything that is known about it. */
export function SentMessage() {
  const brand = useBrand();
  const id = useAddressPart('id');
  const words = useWords(sentMessages);
  const { channels } = useWords(messages);
  const shown = useQuery(sentMessageQuery(brand, id));
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  const { message, decisions, reports } = shown.data;
  return (
    <Page
      title={words.title(channels[message.channel], String(message.message_id))}
      actions={<To to="messages/sent">{words.all}</To>}
    >
      <Facts of={message} />
      <Part title={words.content}>
        <Content of={message} />
      </Part>
      <Part title={words.reports} none={reports.length === 0 && words.noReports}>
        <Reports of={reports} />
      </Part>
      <Part title={words.decisions} none={decisions.length === 0 && words.noDecisions}>
        <Decisions of={decisions} />
      </Part>
    </Page>
  );
}

function Part({ title, none, children }: { title: string; none?: string | false; children: ReactNode }) {
  return (
    <Card withBorder>
      <Title order={3} size="h4" mb="xs">
        {title}
      </Title>
      {none ? <Text size="sm">{none}</Text> : children}
    </Card>
  );
}

function Facts({ of: message }: { of: Message }) {
  const brand = useBrand();
  const words = useWords(sentMessages);
  const { purposes } = useWords(messages);
  const { common } = useText();
  const number = useNumber();
  const { template, campaign_id, status, detail, content } = message;
  const subject = content?.subject;
  return (
    <Fields
      of={[
        [common.state, <State key="state" of={message.state} />],
        [common.reason, <Named key="reason" of={message.reason} />],
        [common.player, <PlayerLink key="player" brand={brand} userId={message.user_id} />],
        ...(typeof subject === 'string' ? ([[words.subject, subject]] as const) : []),
        [words.purpose, purposes[message.purpose]],
        [
          words.template,
          template === null ? (
            common.none
          ) : (
            <To key="template" to={`messages/templates/${template.code}`}>
              {words.templateVersion(template.code, number(template.version), template.language)}
            </To>
          ),
        ],
        [words.campaign, campaign_id === null ? common.none : <CampaignLink key="campaign" code={campaign_id} />],
        [words.by, <CreatedBy key="by" of={message.created_by} />],
        [words.ordered, <Moment key="ordered" at={message.created_at} />],
        [words.tries, number(message.attempts)],
        [words.lastCall, <Moment key="sent" at={message.sent_at} />],
        [words.answer, [status === null ? '' : String(status), detail].filter(Boolean).join(' ') || common.none],
        ...(message.target === '' ? [] : ([[words.target, message.target]] as const)),
        ...(message.parts === null ? [] : ([[words.parts, number(message.parts)]] as const)),
        ...(message.provider_id === null ? [] : ([[words.providerId, message.provider_id]] as const)),
        ...(message.due_at === null ? [] : ([[words.due, <Moment key="due" at={message.due_at} />]] as const)),
        [words.ended, <Moment key="ended" at={message.ended_at} />],
        ...(message.ended_by === null ? [] : ([[words.endedBy, message.ended_by]] as const)),
        [words.expires, <Moment key="expires" at={message.expires_at} />],
      ]}
    />
  );
}

/** The content as the recipient sees it. HTML is shown in the frame of previews, which runs no scripts. */
function Content({ of: { channel, content, template } }: { of: Message }) {
  const brand = useBrand();
  const words = useWords(sentMessages);
  const { preview } = useWords(messages);
  const settings = useQuery(brandQuery(brand));
  const frames = framesOf(channel, '');
  const [chosen, choose] = useState<FrameName>();
  if (content === null) return <Text size="sm">{words.masked}</Text>;
  if (settings.data === undefined) return null;
  const of = chosen ?? frames[0];
  if (of === undefined) return null;
  const language = template?.language ?? settings.data.settings.default_language;
  return (
    <Stack>
      {frames.length > 1 && (
        <SegmentedControl
          aria-label={preview.frame}
          size="xs"
          value={of}
          onChange={(name) => choose(name as FrameName)}
          data={frames.map((name) => ({ value: name, label: preview[name] }))}
        />
      )}
      <Frame of={of} channel={channel} shown={{ language, content }} settings={settings.data} isDark={false} />
    </Stack>
  );
}

function Reports({ of: reports }: { of: SentMessageShown['reports'] }) {
  const words = useWords(sentMessages);
  const { common } = useText();
  return (
    <Rows
      items={reports}
      keyOf={({ what, at, link }) => `${what} ${at} ${link}`}
      columns={[
        { title: common.when, show: ({ at }) => <Moment at={at} /> },
        { title: words.report, show: ({ what }) => <Named of={what} /> },
        { title: common.reason, show: ({ reason }) => reason || common.none },
        { title: words.link, show: ({ link }) => link || common.none },
      ]}
    />
  );
}

function Decisions({ of: decisions }: { of: SentMessageShown['decisions'] }) {
  const words = useWords(sentMessages);
  const nameOf = useCode();
  const { common } = useText();
  return (
    <Rows
      items={decisions}
      keyOf={({ decision_id }) => decision_id}
      columns={[
        { title: common.when, show: ({ decided_at }) => <Moment at={decided_at} /> },
        {
          title: words.outcome,
          show: ({ decision_id, user_id, outcome }) => (
            <To to="compliance/decisions" search={{ ...(user_id !== null && { user_id }), row: String(decision_id) }}>
              {nameOf(outcome)}
            </To>
          ),
        },
        { title: common.reason, show: ({ reason }) => <Named of={reason} /> },
        {
          title: words.cause,
          show: ({ cause, channel, user_id }) => (
            <Cause cause={cause} channel={channel} campaign={null} userId={user_id} />
          ),
        },
      ]}
    />
  );
}
