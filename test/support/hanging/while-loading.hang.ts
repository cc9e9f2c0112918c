import { test } from 'vitest';

await new Promise(() => undefined);

test('a test that is never found', () => undefined);
