// Which pictures of an alertStream belong to the document before them.
import { expect, test } from 'vitest';
import { Gathering } from '../../../site/intake/hikvision/gathering.ts';
import { alertXml, jpeg } from './rig.ts';

interface Gathered {
  /** Parts of each message. */
  messages: number[];
  strays: number;
  gathering: Gathering;
}

function gathered(): Gathered {
  const seen: Gathered = {
    messages: [],
    strays: 0,
    gathering: new Gathering({
      onMessage: (parts) => Promise.resolve(void seen.messages.push(parts.length)),
      onStray: () => (seen.strays += 1),
    }),
  };
  return seen;
}
const part = (body: string | Buffer) => ({ headers: {}, body: Buffer.from(body) });
const json = (members: object): string => JSON.stringify({ channelID: 1, ...members }, null, '\t');

test.each([
  ['a camera', alertXml({ more: '<detectionPictureTransType>binary</detectionPictureTransType>' }), 1],
  ['a thermal camera', alertXml({ more: '<detectionPicturesNumber>2</detectionPicturesNumber>' }), 2],
  ['a camera of plates', alertXml({ type: 'ANPR', more: '<picNum>2</picNum>' }), 2],
  [
    'a terminal at a door, in JSON',
    json({
      eventType: 'AccessControllerEvent',
      AccessControllerEvent: { majorEventType: 5, subEventType: 76, serialNo: 12, picturesNumber: 1 },
    }),
    1,
  ],
  [
    'a terminal at a door, in XML',
    alertXml({
      type: 'AccessControllerEvent',
      more: '<AccessControllerEvent><picturesNumber>1</picturesNumber></AccessControllerEvent>',
    }),
    1,
  ],
  [
    'a camera of faces',
    json({
      eventType: 'faceCapture',
      faceCapture: [{ targetAttrs: { contentID: 'back' }, faces: [{ faceId: 7, contentID: 'face' }] }],
    }),
    2,
  ],
])('pictures that %s announces come with its alarm', async (_, document, count) => {
  const seen = gathered();
  const waiting = seen.gathering.add(part(document));
  for (let n = 0; n < count; n += 1) await seen.gathering.add(part(jpeg()));
  await waiting;
  await seen.gathering.end();
  expect(seen).toMatchObject({ messages: [count + 1], strays: 0 });
});

test('an alarm whose picture is fetched from an address does not wait for one in the stream', async () => {
  const seen = gathered();
  await seen.gathering.add(
    part(
      alertXml({
        more:
          '<detectionPictureTransType>url</detectionPictureTransType>' +
          '<detectionPicturesNumber>1</detectionPicturesNumber><bkgUrl>http://192.168.1.64/p</bkgUrl>',
      }),
    ),
  );
  expect(seen.messages).toEqual([1]);
});
