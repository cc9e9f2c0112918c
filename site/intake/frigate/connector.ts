import type { ConnectionMessage } from '../connection/fault.ts';
import { mqttConnector } from '../mqtt/connector.ts';
import { hasReviews, versionIn } from './camera.ts';
import { prefixOf } from './parse.ts';
import { frigatePictures } from './pictures.ts';

/** Reviews, whether Frigate runs, how its cameras are, and what its models say of an object. */
const TOPICS = ['reviews', 'available', 'stats', '+/status/detect', 'tracked_object_update'];

/** A Frigate from before 0.14 publishes no reviews: it is there, and nothing would ever come. */
function tooOld(stats: Buffer): ConnectionMessage | undefined {
  const version = versionIn(stats);
  return version === null || hasReviews(version)
    ? undefined
    : { code: 'device_program_old', params: { name: 'Frigate', version, needed: '0.14' } };
}

/** How Frigate is listened to. */
export const frigateConnector = mqttConnector({
  topics: ({ device }) => TOPICS.map((name) => `${prefixOf(device.config)}/${name}`),
  pictures: frigatePictures,
  /** `online`, `stopped`, or the last will `offline`, which the broker keeps. */
  away: ({ device }, topic, payload) => {
    if (topic === `${prefixOf(device.config)}/stats`) return tooOld(payload);
    if (topic !== `${prefixOf(device.config)}/available`) return undefined;
    const word = payload.toString('utf8').slice(0, 40).trim();
    return word === 'online' ? null : { code: 'device_program_gone', params: { name: 'Frigate', word } };
  },
});
