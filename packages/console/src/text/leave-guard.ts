/** The question before unsaved changes are lost. */
const en = {
  title: 'Leave without saving?',
  ofPage: 'Your changes are not saved. You lose them if you leave this page.',
  ofDialog: 'Your changes are not saved. You lose them if you close this dialog.',
  stay: 'Stay',
  leave: 'Leave without saving',
};

const de: typeof en = {
  title: 'Ohne Speichern verlassen?',
  ofPage: 'Ihre Änderungen sind nicht gespeichert. Sie gehen verloren, wenn Sie die Seite verlassen.',
  ofDialog: 'Ihre Änderungen sind nicht gespeichert. Sie gehen verloren, wenn Sie den Dialog schließen.',
  stay: 'Hier bleiben',
  leave: 'Ohne Speichern verlassen',
};

export const leaveGuard = { en, de };
