import { type Dial, startSandboxOperator } from '@croupier/sandbox';

/*
 * The operator of the proof as a separate process (`operator.ts <population>`), so that its records and its stream are not in
 * the measured memory. It reports its address, and accepts dials.
 */
const operator = await startSandboxOperator({ population: { prefix: 'p', count: Number(process.argv[2]) } });
process.on('message', (dial: Dial) => operator.dials.set('reconciliation', dial));
process.on('disconnect', () => process.exit(0));
process.send?.(operator.url);
