// What a broker sends, before it is read.
import fc from 'fast-check';
import mqtt from 'mqtt-packet';
import { expect, test } from 'vitest';
import { MAX_MESSAGE, PacketTrimmer } from '../../site/intake/mqtt/trim.ts';

const message = (topic: string, size: number, qos: 0 | 1): Buffer =>
  mqtt.generate({
    cmd: 'publish',
    topic,
    payload: Buffer.alloc(size, 7),
    qos,
    messageId: 9,
    retain: false,
    dup: false,
  });

/** What a reader makes of it: topic and bytes of each message, other packets by their names. */
function read(bytes: Buffer, cuts: readonly number[]): { told: string[]; most: number } {
  const [trimmer, parser, told] = [new PacketTrimmer(), mqtt.parser(), [] as string[]];
  parser.on('packet', (packet) =>
    told.push(
      packet.cmd === 'publish'
        ? `${packet.topic} ${packet.payload.length} ${packet.qos} ${packet.messageId ?? '-'}`
        : packet.cmd,
    ),
  );
  const at = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
  let most = 0;
  for (const [index, from] of at.slice(0, -1).entries()) {
    const trimmed = trimmer.trim(bytes.subarray(from, at[index + 1]));
    if (trimmed.length > 0) parser.parse(trimmed);
    most = Math.max(most, trimmer.held);
  }
  return { told, most };
}

test('a message that is too large comes without its payload, everything else as it is, however it is cut', () => {
  const bytes = Buffer.concat([
    mqtt.generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }),
    message('a/b', 5, 1),
    message(`long/${'x'.repeat(20_000)}`, MAX_MESSAGE + 1, 1),
    message('too/large', 3 * MAX_MESSAGE, 0),
    message('fits', MAX_MESSAGE - 100, 1),
    mqtt.generate({ cmd: 'pingresp' }),
    message('last', 0, 0),
  ]);
  const expected = [
    'connack',
    'a/b 5 1 9',
    `long/${'x'.repeat(20_000)} 0 1 9`,
    'too/large 0 0 -',
    `fits ${MAX_MESSAGE - 100} 1 9`,
    'pingresp',
    'last 0 0 -',
  ];
  expect(read(bytes, []).told).toEqual(expected);
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 20 }), (cuts) => {
      const { told, most } = read(bytes, cuts);
      expect(told).toEqual(expected);
      expect(most).toBeLessThanOrEqual(MAX_MESSAGE + 100);
    }),
    { numRuns: 20 },
  );
});

test.each([
  ['a message of QoS 2, which its reader would keep', [0x34, 10]],
  ['another packet of 256 MB', [0x90, 0xff, 0xff, 0xff, 0x7f]],
  ['a length that does not end', [0x30, 0xff, 0xff, 0xff, 0xff, 0x01]],
])('%s is refused', (_, head) => {
  expect(() => new PacketTrimmer().trim(Buffer.from(head))).toThrow();
});
