import { beforeAll, test } from 'vitest';

beforeAll(() => new Promise(() => undefined));

test('a test that is never reached', () => undefined);
