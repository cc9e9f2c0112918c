import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from 'node:fs';

/** A file that is not what a secret is kept in; errors of the system come as they are. */
export class NotASecretFile extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotASecretFile';
  }
}

/**
 * Reads a small regular file. Pipes and devices are refused without being opened or waited for.
 * @param followLinks whether a symbolic link may lead to it
 * @throws NotASecretFile, Error of the system
 */
export function readSmallFile(
  path: string,
  { maxBytes, followLinks }: { maxBytes: number; followLinks: boolean },
): string {
  // Before it is opened, since to open a device may already do something.
  if (!(followLinks ? statSync(path) : lstatSync(path)).isFile())
    throw new NotASecretFile('is no regular file');
  // It may have been exchanged since: opening never waits, and what was opened is looked at again.
  const fd = openSync(
    path,
    constants.O_RDONLY | constants.O_NONBLOCK | (followLinks ? 0 : constants.O_NOFOLLOW),
  );
  try {
    if (!fstatSync(fd).isFile()) throw new NotASecretFile('is no regular file');
    const buffer = Buffer.alloc(maxBytes + 1);
    let size = 0;
    for (let read = -1; read !== 0 && size <= maxBytes; size += read)
      read = readSync(fd, buffer, size, buffer.length - size, null);
    if (size > maxBytes) throw new NotASecretFile(`is larger than ${maxBytes} bytes`);
    return buffer.toString('utf8', 0, size);
  } finally {
    closeSync(fd);
  }
}
