/** Public exports of privacy: export and erasure of one player; see README.md. */

export { Eraser, type EraserRound } from './eraser.ts';
export { cancelErasure, type ErasureRow, readErasure, readErasures } from './erasure-store.ts';
export { exportPlayer } from './export.ts';
export { requestErasure } from './requests.ts';
export { erasureSteps } from './steps.ts';
