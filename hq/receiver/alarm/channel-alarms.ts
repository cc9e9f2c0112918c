import type { Message } from '../../../common/message.ts';
import type { ChannelName } from '../../../common/uplink/wire.ts';
import type { BatchHead, Gap, NewStore } from '../port.ts';
import type { SiteAlarms } from './alarms.ts';

export const nameOf = (channel: ChannelName): Message => ({ code: `${channel}_channel`, params: {} });

/** Raises alarms for positions and epochs of a site that do not fit what is stored here. */
export class ChannelAlarms {
  #alarms: SiteAlarms;
  /** Sites that were told to take a new epoch: people were told of their stores with that. */
  #rolledBack = new Set<string>();

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
    this.#rolledBack.add(site);
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

  /** The site goes on with another store: an empty one, or one that was put back or saved after damage. */
  async newStore(
    { instance: site, epoch, head, oldest }: BatchHead,
    { through: held, empty }: NewStore,
  ): Promise<void> {
    if (this.#rolledBack.delete(site) && !empty) return;
    await this.#alarms.raise(
      empty ? 'critical' : 'warning',
      site,
      { code: empty ? 'site_store_new' : 'site_store_other', params: { site, held } },
      { site, epoch, held, head, oldest },
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
