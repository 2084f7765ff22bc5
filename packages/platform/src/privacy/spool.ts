import { randomBytes } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Characters that are gathered before they are written. */
const writeSize = 65_536;

/**
 * Takes a text whole before it hands on the first of it: whoever writes it never waits for whoever reads it.
 *
 * It lies in a temporary file that has no name any more, so that nothing of it is left behind, whatever becomes of the process.
 */
export async function* spooled(text: AsyncIterable<string>): AsyncGenerator<string> {
  const file = await nameless();
  try {
    await fill(file, text);
    yield* file.createReadStream({ start: 0, encoding: 'utf8', autoClose: false });
  } finally {
    await file.close();
  }
}

async function nameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `croupier-export-${randomBytes(12).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function fill(file: FileHandle, text: AsyncIterable<string>): Promise<void> {
  let gathered: string[] = [];
  let size = 0;
  const write = async () => {
    // To the end of the file: it is written here alone, from its beginning.
    await file.writeFile(gathered.join(''));
    gathered = [];
    size = 0;
  };
  for await (const part of text) {
    gathered.push(part);
    size += part.length;
    if (size >= writeSize) await write();
  }
  await write();
}
