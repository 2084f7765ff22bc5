import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { media } from '../../../text/media.ts';
import { useWords } from '../../../text/text.tsx';
import { Library } from '../media/library.tsx';
import type { Picture } from '../media/queries.ts';

interface PictureChoiceProps {
  isReady: boolean;
  onChoose(picture: Picture): void;
}

/** A button that opens the media library to choose an image. */
export function PictureChoice({ isReady, onChoose }: PictureChoiceProps) {
  const words = useWords(media);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="compact-sm" variant="default" disabled={!isReady} onClick={open}>
        {words.picture}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.choosePicture} size="xl">
        <Library
          onChoose={(picture) => {
            close();
            onChoose(picture);
          }}
        />
      </Modal>
    </>
  );
}
