import { type Child, startChild } from '../child.ts';
import type { LoadResult } from './http-load.ts';
import type { Order } from './process.ts';

/** Runs one load in a separate process and returns its result. */
export async function loadOf(order: Exclude<Order, { more: number }>): Promise<LoadResult> {
  const generator = await startChild('bench/load/process.ts');
  try {
    return await resultOf(generator, order);
  } finally {
    await generator.stop();
  }
}

/** Sends the order and waits for the result. Calls `onGenerated` when a mix is ready and the measured time starts. */
export function resultOf(
  generator: Child,
  order: Exclude<Order, { more: number }>,
  onGenerated: () => void = () => {},
): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    generator.process.on('message', (message: { result?: LoadResult; error?: string; generated?: true }) => {
      if (message.generated !== undefined) onGenerated();
      if (message.result) resolve(message.result);
      if (message.error) reject(new Error(message.error));
    });
    generator.process.once('exit', (code) => reject(new Error(`the load generator exited with code ${code}`)));
    generator.process.send(order);
  });
}
