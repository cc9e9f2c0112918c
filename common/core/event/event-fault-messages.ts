import { faultsOf } from '../../http/fault/room.ts';
import { sentences } from '../../message.ts';

/** What is wrong with events that are posted. Each is read after the path of the member. */
export const eventFaultMessages = {
  file_twice: sentences('must not name a file twice', '同一文件不能写两次'),
  node_tenant: sentences("must be the tenant of the node's key", '必须是该节点密钥所属的租户'),
  event_or_batch: sentences('must be an event object, or {list}', '必须是一个事件对象，或 {list}'),
  event_list: sentences('must be a list of events', '必须是事件列表'),
  event_count: sentences(
    'must hold 1 to {most} events; it holds {size}',
    '必须含 1 至 {most} 个事件，现有 {size} 个',
  ),
};

export const { fault, faultAt, saidOf, saying } = faultsOf(eventFaultMessages);
