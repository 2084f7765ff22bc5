import { type Dial, startSandboxOperator } from '@croupier/sandbox';

/*
 * The operator of the proof, in a process of its own, so that its books and its stream are not in the memory that is measured:
 * `operator.ts <population>`. It says where it is, and takes dials.
 */
const operator = await startSandboxOperator({ population: { prefix: 'p', count: Number(process.argv[2]) } });
process.on('message', (dial: Dial) => operator.dials.set('reconciliation', dial));
process.on('disconnect', () => process.exit(0));
process.send?.(operator.url);
