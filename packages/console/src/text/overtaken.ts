/** The choice after another person saved changes of the same object. */
const en = {
  title: 'Another person has saved changes',
  hint: 'Your changes are not saved. If you keep and save them, they replace the changes of the other person. If you discard your changes, you see those of the other person.',
  keepOwn: 'Keep my changes',
  discardOwn: 'Discard my changes',
};

const de: typeof en = {
  title: 'Eine andere Person hat Änderungen gespeichert',
  hint: 'Ihre Änderungen sind nicht gespeichert. Wenn Sie Ihre Änderungen behalten und speichern, ersetzen sie die Änderungen der anderen Person. Wenn Sie Ihre Änderungen verwerfen, sehen Sie die Änderungen der anderen Person.',
  keepOwn: 'Meine Änderungen behalten',
  discardOwn: 'Meine Änderungen verwerfen',
};

export const overtaken = { en, de };
