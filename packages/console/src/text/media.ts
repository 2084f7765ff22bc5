const en = {
  about: 'Pictures that messages show. Each has an address that anyone can see, for as long as it is here.',
  none: 'There are no pictures yet. Drop files here, or upload the first.',
  noneFound: 'No picture has a name that contains this.',
  search: 'Name contains',
  drop: 'Drop files anywhere here',
  upload: 'Upload',
  budget: 'Room that is used',
  used: (files: string, mostFiles: string, bytes: string, mostBytes: string) =>
    `${files} of ${mostFiles} pictures, ${bytes} of ${mostBytes}.`,
  bounds: (largest: string) => `PNG, JPEG, GIF or WebP, up to ${largest} each.`,
  copy: 'Copy address',
  copied: 'Copied',
  remove: 'Delete',
  removed: (name: string) => `${name} was deleted. Messages that were sent show it no more.`,
  back: 'Bring it back',
  refused: (name: string, why: string) => `${name}: ${why}`,
  picture: 'Picture',
  choosePicture: 'Choose a picture',
  choose: (name: string) => `Choose ${name}`,
};

const de: typeof en = {
  about: 'Bilder, die Nachrichten zeigen. Jedes hat eine Adresse, die alle sehen können, solange es hier ist.',
  none: 'Es gibt noch keine Bilder. Ziehen Sie Dateien hierher oder laden Sie das erste hoch.',
  noneFound: 'Kein Bild hat einen Namen, der das enthält.',
  search: 'Name enthält',
  drop: 'Dateien hierher ziehen',
  upload: 'Hochladen',
  budget: 'Belegter Platz',
  used: (files: string, mostFiles: string, bytes: string, mostBytes: string) =>
    `${files} von ${mostFiles} Bildern, ${bytes} von ${mostBytes}.`,
  bounds: (largest: string) => `PNG, JPEG, GIF oder WebP, je bis ${largest}.`,
  copy: 'Adresse kopieren',
  copied: 'Kopiert',
  remove: 'Löschen',
  removed: (name: string) => `${name} wurde gelöscht. Gesendete Nachrichten zeigen es nicht mehr.`,
  back: 'Zurückholen',
  refused: (name: string, why: string) => `${name}: ${why}`,
  picture: 'Bild',
  choosePicture: 'Bild wählen',
  choose: (name: string) => `${name} wählen`,
};

export const media = { en, de };
