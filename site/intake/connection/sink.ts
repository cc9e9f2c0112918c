import { AppError } from '../../../common/http/error.ts';
import type { DeviceStates } from '../device/state.ts';
import type { Recorder } from '../recorder.ts';
import type { Trials } from '../trial.ts';
import type { MessageSink } from './take.ts';

export interface SinkParts {
  recorder: Recorder;
  trials: Trials;
  states: DeviceStates;
  /** @throws AppError while the disk is full */
  admit: () => void;
}

/** Messages of devices that are connected to become events of this site. */
export const recordingSink = ({ recorder, trials, states, admit }: SinkParts): MessageSink => ({
  pictureLost: ({ keyId }) => {
    states.of(keyId).picturesLost += 1;
  },
  read: (device, source, { contentType, headers = {}, parts, bytes }) => {
    const readings = source.parse(parts, device.config, { headers });
    trials.see(device, { contentType, bytes, parts, readings, vendor: source.vendor });
    return readings;
  },
  store: async (device, source, readings, fetch) => {
    admit();
    try {
      await recorder.take(device, source, readings, fetch);
    } catch (error) {
      // What cannot be read is counted with its reason, and does not get better by waiting.
      if (!(error instanceof AppError) || error.status !== 400) throw error;
    }
  },
});
