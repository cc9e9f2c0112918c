import type { Message } from '../../common/message.ts';
import type { ChannelName } from '../../common/uplink/wire.ts';
import type { SiteAlarms } from './alarms.ts';
import type { BatchHead, Gap } from './port.ts';

export const nameOf = (channel: ChannelName): Message => ({ code: `${channel}_channel`, params: {} });

/** Raises alarms for positions and epochs of a site that do not fit what is stored here. */
export class ChannelAlarms {
  #alarms: SiteAlarms;

  constructor(alarms: SiteAlarms) {
    this.#alarms = alarms;
  }

  /** The site's position is beyond what is stored here: this store lost data. */
  async dataLost(channel: ChannelName, head: BatchHead, known: number): Promise<void> {
    const { instance: site, from } = head;
    await this.#alarms.raise(
      'critical',
      site,
      { code: 'uplink_lost_data', params: { channel: nameOf(channel), site, known, sent: from } },
      positionOf(channel, head, known),
    );
  }

  /** The site runs on an older copy of its store. */
  async rolledBack(channel: ChannelName, head: BatchHead, known: number): Promise<void> {
    const { instance: site } = head;
    await this.#alarms.raise(
      'critical',
      site,
      { code: 'uplink_rolled_back', params: { site, channel: nameOf(channel), known, head: head.head } },
      positionOf(channel, head, known),
    );
  }

  /** Two stores send under the name of one site. */
  async twoSenders(site: string, epochs: { epoch: string; other: string }): Promise<void> {
    await this.#alarms.raise(
      'critical',
      site,
      { code: 'uplink_two_senders', params: { site } },
      { site, ...epochs },
    );
  }

  /** The site no longer keeps items that are missing here. */
  async gap(channel: ChannelName, { instance: site, epoch }: BatchHead, gap: Gap): Promise<void> {
    await this.#alarms.raise(
      'critical',
      site,
      { code: 'uplink_gap', params: { site, channel: nameOf(channel), ...gap } },
      { site, channel, epoch, ...gap },
    );
  }

  /** The site has begun with an empty store. @param through newest position that came from an earlier one */
  async newStore({ instance: site, epoch, head, oldest }: BatchHead, through: number): Promise<void> {
    await this.#alarms.raise(
      'critical',
      site,
      { code: 'site_store_new', params: { site, held: through } },
      { site, epoch, held: through, head, oldest },
    );
  }
}

const positionOf = (channel: ChannelName, head: BatchHead, known: number) => ({
  site: head.instance,
  channel,
  epoch: head.epoch,
  known,
  from: head.from,
  head: head.head,
});
