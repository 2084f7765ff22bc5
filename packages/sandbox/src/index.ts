export * from './operator/index.ts';
