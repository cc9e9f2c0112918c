import type { Channel } from '../channel.ts';
import type { Hub } from '../hub.ts';
import type { Link } from '../link.ts';
import type { Mutex } from '../mutex.ts';
import type { Report } from '../report.ts';
import type { SenderOptions } from '../sender-options.ts';
import type { Settlement } from '../settlement.ts';
import { WorkSender } from '../work/sender.ts';
import { HeldCall } from './call.ts';

/** The parts of the sender that all of its calls share. */
export interface Common {
  channels: { events: Channel; verdicts: Channel; work: Channel };
  hub: Hub;
  link: Link;
  settlement: Settlement;
  mutex: Mutex;
  envelope: () => { version: string; instance: string; epoch: string };
  interval: number;
  /** The positions are to be compared with headquarters. */
  onDoubt: () => void;
  /** What headquarters is told of this machine; null: nothing. */
  report: Report | null;
  random: () => number;
}

/** What goes beside the channels of events and verdicts. */
export function createBeside(
  sender: SenderOptions,
  { channels, hub, ...common }: Common,
): { work: WorkSender; held: HeldCall } {
  const { store, clock, log } = sender;
  const { events, verdicts, work: channel } = channels;
  const work = new WorkSender({
    ...common,
    channel,
    hub,
    draining: () => events.draining || verdicts.draining,
    epoch: () => store.epoch(),
    clock,
    log,
  });
  return { work, held: new HeldCall({ ...common, sender }) };
}
