import type { Stamp } from '../../../common/clock.ts';
import type { GroupOrderItem } from '../../../common/uplink/group-order.ts';
import type { Carried } from '../inbox/port.ts';

/** Orders of headquarters on incident groups, each carried out or refused once. */
export interface GroupOrderPort {
  /**
   * Carries it out by the rules of groups, or notes why not, in one transaction. What became of it goes up
   * with the log, as that of orders on tasks does.
   * @param eventIds those of the events that are to leave the group which are kept here
   */
  carry(order: GroupOrderItem, eventIds: readonly number[], stamp: Stamp): Promise<Carried>;
}
