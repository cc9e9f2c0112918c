import { mqttConnector } from '../mqtt/connector.ts';
import { AXIS_TOPIC } from './parse.ts';

/** How Axis cameras of a broker are listened to. */
export const axisConnector = mqttConnector({
  topics: ({ device }) => [device.config.topic ?? AXIS_TOPIC],
});
