const en = {
  about: 'Pictures for your messages. Each has a public URL until you delete it.',
  none: 'There are no pictures yet. Upload the first one, or drop files here.',
  noneFound: 'No picture matches this name.',
  search: 'Name contains',
  drop: 'Drop files anywhere here',
  upload: 'Upload',
  budget: 'Space used',
  used: (files: string, mostFiles: string, bytes: string, mostBytes: string) =>
    `${files} of ${mostFiles} pictures, ${bytes} of ${mostBytes}.`,
  bounds: (largest: string) => `PNG, JPEG, GIF or WebP, up to ${largest} each.`,
  copy: 'Copy URL',
  copied: 'Copied',
  remove: 'Delete',
  removed: (name: string) => `${name} was deleted. Sent messages do not show it to new readers.`,
  refused: (name: string, why: string) => `${name}: ${why}`,
  picture: 'Picture',
  choosePicture: 'Choose a picture',
  choose: (name: string) => `Choose ${name}`,
};

const de: typeof en = {
  about: 'Bilder für Nachrichten. Jedes hat eine öffentliche Adresse, solange es hier gespeichert ist.',
  none: 'Es gibt noch keine Bilder. Ziehen Sie Dateien hierher oder laden Sie das erste hoch.',
  noneFound: 'Kein Bildname enthält diesen Text.',
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
  removed: (name: string) => `${name} wurde gelöscht. Neue Leser gesendeter Nachrichten sehen das Bild nicht mehr.`,
  refused: (name: string, why: string) => `${name}: ${why}`,
  picture: 'Bild',
  choosePicture: 'Bild wählen',
  choose: (name: string) => `${name} wählen`,
};

export const media = { en, de };
