import {
  Button,
  Card,
  CopyButton,
  FileButton,
  Group,
  Progress,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { api } from '../../../api/client.ts';
import { media } from '../../../text/media.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { useMay } from '../../../ui/may.tsx';
import { useBrand } from '../../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../../ui/states.tsx';
import { useUndo } from '../../../ui/undo.tsx';
import { useNumber } from '../../../ui/values.tsx';
import { mediaQuery, type Picture, shownAt } from './queries.ts';
import { taken, uploadPicture } from './upload.ts';

const restMs = 250;
const kibibyte = 1024;

interface LibraryProps {
  /** Called with the chosen image. If it is omitted, the library is only for managing images. */
  onChoose?(picture: Picture): void;
}

/** The images of the brand. The user uploads images with a button, or by dropping files on the list. */
export function Library({ onChoose }: LibraryProps) {
  const brand = useBrand();
  const words = useWords(media);
  const { common } = useText();
  const may = useMay()('template.manage');
  const [asked, setAsked] = useState('');
  const [search] = useDebouncedValue(asked.trim(), restMs);
  const pictures = useInfiniteQuery({ ...mediaQuery(brand, search), placeholderData: keepPreviousData });
  const uploads = useUploads();
  const [isOver, setOver] = useState(false);
  if (pictures.isPending) return <Loading />;
  if (pictures.isLoadingError) return <Failed error={pictures.error} onRetry={() => pictures.refetch()} />;
  const items = pictures.data.pages.flatMap((page) => page.items);
  const used = pictures.data.pages.at(-1)?.used;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (may) void uploads.add([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the mouse; the button does the same
    <div
      className={isOver ? 'library library-over' : 'library'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(may);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={drop}
    >
      <Stack>
        <Group justify="space-between" align="flex-end">
          <TextInput
            size="xs"
            w={240}
            label={words.search}
            value={asked}
            onChange={({ currentTarget }) => setAsked(currentTarget.value)}
          />
          {may && (
            <Group gap="sm">
              <Text size="sm" c="dimmed">
                {words.drop}
              </Text>
              <FileButton multiple accept={taken.join(',')} onChange={(files) => void uploads.add(files)}>
                {(button) => (
                  <Button {...button} loading={uploads.left > 0}>
                    {words.upload}
                  </Button>
                )}
              </FileButton>
            </Group>
          )}
        </Group>
        {used !== undefined && <Budget used={used} />}
        {items.length === 0 ? (
          <Empty>{search === '' ? words.none : words.noneFound}</Empty>
        ) : (
          <SimpleGrid cols={{ base: 2, sm: 3, lg: onChoose ? 4 : 5 }} spacing="md">
            {items.map((picture) => (
              <PictureCard key={picture.file} picture={picture} may={may} {...(onChoose && { onChoose })} />
            ))}
          </SimpleGrid>
        )}
        {pictures.hasNextPage && (
          <Group justify="center">
            <Button variant="light" loading={pictures.isFetchingNextPage} onClick={() => pictures.fetchNextPage()}>
              {common.more}
            </Button>
          </Group>
        )}
      </Stack>
    </div>
  );
}

function Budget({
  used,
}: {
  used: { files: number; bytes: number; most_files: number; most_bytes: number; largest_bytes: number };
}) {
  const words = useWords(media);
  const size = useSize();
  const number = useNumber();
  const share = Math.max(used.files / Math.max(1, used.most_files), used.bytes / Math.max(1, used.most_bytes)) * 100;
  return (
    <Stack gap={4} maw={480}>
      <Progress value={share} size="sm" color={share > 90 ? 'red' : 'blue'} aria-label={words.budget} />
      <Text size="xs" c="dimmed">
        {words.used(number(used.files), number(used.most_files), size(used.bytes), size(used.most_bytes))}{' '}
        {words.bounds(size(used.largest_bytes))}
      </Text>
    </Stack>
  );
}

interface PictureCardProps extends LibraryProps {
  picture: Picture;
  may: boolean;
}

function PictureCard({ picture, may, onChoose }: PictureCardProps) {
  const words = useWords(media);
  const size = useSize();
  const remove = useRemoval();
  const { name, url, width, height, bytes } = picture;
  const image = <img className="picture" src={shownAt(url)} alt="" loading="lazy" width={width} height={height} />;
  return (
    <Card withBorder padding="xs">
      {onChoose ? (
        <UnstyledButton onClick={() => onChoose(picture)} aria-label={words.choose(name)} className="picture-ground">
          {image}
        </UnstyledButton>
      ) : (
        <div className="picture-ground">{image}</div>
      )}
      <Text size="sm" fw={600} mt="xs" truncate title={name}>
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {width} × {height}, {size(bytes)}
      </Text>
      {!onChoose && (
        <Group gap={4} mt="xs">
          <CopyButton value={url}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="default" onClick={copy} aria-label={`${words.copy}: ${name}`}>
                {copied ? words.copied : words.copy}
              </Button>
            )}
          </CopyButton>
          {may && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="red"
              aria-label={`${words.remove}: ${name}`}
              onClick={() => void remove(picture)}
            >
              {words.remove}
            </Button>
          )}
        </Group>
      )}
    </Card>
  );
}

/** Formats a number of bytes. */
function useSize(): (bytes: number) => string {
  const number = useNumber();
  return (bytes) =>
    bytes < kibibyte * kibibyte ? `${number(bytes / kibibyte)} KB` : `${number(bytes / kibibyte / kibibyte)} MB`;
}

/** Uploads files one after another. Each refused file gets a notice with the reason. */
function useUploads() {
  const brand = useBrand();
  const words = useWords(media);
  const queries = useQueryClient();
  const [left, setLeft] = useState(0);
  const add = async (files: readonly File[]) => {
    setLeft((before) => before + files.length);
    for (const file of files) {
      try {
        await uploadPicture(brand, file, file.name);
      } catch (error) {
        notifications.show({
          message: words.refused(file.name, (error as Error).message),
          color: 'red',
          autoClose: false,
        });
      }
      setLeft((before) => before - 1);
    }
    await queries.invalidateQueries({ queryKey: [brand, 'media'] });
  };
  return { left, add };
}

/**
 * Deletes an image immediately and offers Undo. Undo uploads the same content again, which restores the same address.
 */
function useRemoval() {
  const brand = useBrand();
  const words = useWords(media);
  const queries = useQueryClient();
  const offerUndo = useUndo();
  const again = () => queries.invalidateQueries({ queryKey: [brand, 'media'] });
  return async ({ file, name, url }: Picture) => {
    try {
      const content = await (await fetch(shownAt(url))).blob();
      await api.DELETE('/api/console/v1/brands/{brand}/media/{file}', { params: { path: { brand, file } } });
      await again();
      offerUndo(words.removed(name), async () => {
        await uploadPicture(brand, content, name);
        await again();
      });
    } catch (error) {
      notifications.show({ message: (error as Error).message, color: 'red', autoClose: false });
    }
  };
}
