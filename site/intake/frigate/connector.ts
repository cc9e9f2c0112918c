import { mqttConnector } from '../mqtt/connector.ts';
import { prefixOf } from './parse.ts';
import { frigatePictures } from './pictures.ts';

/** How Frigate is listened to. */
export const frigateConnector = mqttConnector({
  topics: ({ device }) => ['reviews', 'available'].map((name) => `${prefixOf(device.config)}/${name}`),
  pictures: frigatePictures,
  /** `online`, `stopped`, or the last will `offline`, which the broker keeps. */
  away: ({ device }, topic, payload) => {
    if (topic !== `${prefixOf(device.config)}/available`) return undefined;
    const word = payload.toString('utf8').slice(0, 40).trim();
    return word === 'online' ? null : { code: 'device_program_gone', params: { name: 'Frigate', word } };
  },
});
