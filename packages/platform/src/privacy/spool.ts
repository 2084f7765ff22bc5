import { randomBytes } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Number of characters collected per write. */
const writeSize = 65_536;

/**
 * Writes the whole text to a file before it yields the first part, so that the writer never waits for the reader.
 *
 * The temporary file has already been unlinked, so nothing of it remains, even if the process is killed.
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
    // This appends: the file is written only here, from the start.
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
