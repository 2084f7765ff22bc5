import { Group, Stack, Text, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useNameOfPlace } from './place-titles.ts';

interface PageProps {
  title: string;
  /** The purpose of the page, in one sentence. */
  about?: string;
  /** False if the title is not the name of the object at the address. */
  isNaming?: boolean;
  /** Actions of the page. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page with a heading, actions, and content. */
export function Page({ title, about, actions, isNaming = true, children }: PageProps) {
  useNameOfPlace(isNaming ? title : undefined);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} maw={720}>
          <Title order={2}>{title}</Title>
          {about !== undefined && (
            <Text size="sm" c="dimmed">
              {about}
            </Text>
          )}
        </Stack>
        {actions !== undefined && <Group>{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

export const useBrand = (): string => useParams({ from: '/$brand' }).brand;

/** Returns a parameter of the route, such as the id of the shown object. */
export function useAddressPart(name: string): string {
  const parts: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  return parts[name] ?? '';
}
