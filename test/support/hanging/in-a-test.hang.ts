import { describe, test } from 'vitest';

describe('a suite', () => {
  test('a test that waits for what never comes', () => new Promise(() => undefined));
});
