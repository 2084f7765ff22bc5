import { Alert, Code, Group, List, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { endpointTests } from '../../../text/endpoint-tests.ts';
import { useWords } from '../../../text/text.tsx';
import { useNumber } from '../../../ui/values.tsx';

interface ShownRequestProps {
  request: { method: string; url: string; headers: Record<string, string>; body: string | null };
}

/** A request, as it is sent over HTTP. */
export function ShownRequest({ request: { method, url, headers, body } }: ShownRequestProps) {
  const words = useWords(endpointTests);
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return (
    <section aria-label={words.request}>
      <Title order={3} size="h5" mb={4}>
        {words.request}
      </Title>
      <Code block className="timeline-line">
        {[...lines, ...(body === null ? [] : ['', body])].join('\n')}
      </Code>
    </section>
  );
}

export interface AnswerShown {
  /** Null: there was no answer. Undefined: it is not shown. */
  status: number | null | undefined;
  took_ms: number | null;
  body: string | null;
  isCut: boolean;
}

interface ShownAnswerProps extends AnswerShown {
  color: 'green' | 'yellow' | 'red';
  title: string;
  /** How Croupier judges the answer. */
  children?: ReactNode;
  /** A link to the page of the bonus or the player. */
  link?: ReactNode;
}

/** The answer of the operator, and how Croupier judges it. */
export function ShownAnswer({ status, took_ms, body, isCut, color, title, children, link }: ShownAnswerProps) {
  const words = useWords(endpointTests);
  const number = useNumber();
  return (
    <Stack gap="sm">
      <section aria-label={words.answer}>
        <Group justify="space-between" mb={4}>
          <Title order={3} size="h5">
            {words.answer}
          </Title>
          <Text size="sm" className="figure">
            {status === null ? words.noAnswer : status !== undefined && words.status(status)}
            {took_ms !== null && ` · ${words.took(number(took_ms))}`}
          </Text>
        </Group>
        {body !== null && (
          <Code block className="timeline-line" mah={320} style={{ overflow: 'auto' }} tabIndex={0}>
            {body === '' ? words.empty : body}
          </Code>
        )}
        {status === undefined && <Text size="sm">{words.secret}</Text>}
        {isCut && (
          <Text size="xs" c="dimmed">
            {words.cut}
          </Text>
        )}
      </section>
      <Alert role="status" color={color} title={title} aria-label={words.made}>
        <Stack gap={4}>{children}</Stack>
      </Alert>
      {link}
    </Stack>
  );
}

/** Parts of an answer that could not be used. */
export function Findings({ of }: { of: readonly { path: string; message: string }[] }) {
  const words = useWords(endpointTests);
  if (of.length === 0) return null;
  return (
    <>
      <Text size="sm">{words.findings}</Text>
      <List size="sm">
        {of.map(({ path, message }) => (
          <List.Item key={path}>
            {path}: {message}
          </List.Item>
        ))}
      </List>
    </>
  );
}
