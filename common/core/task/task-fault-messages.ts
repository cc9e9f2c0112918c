import { faultsOf } from '../../http/fault/room.ts';
import { sentences } from '../../message.ts';

/** What is wrong with a task. Each is read after the path of the member. */
export const taskFaultMessages = {
  event_of_tenant: sentences('must be an event of this tenant', '必须是本租户的事件'),
  only_service_writes: sentences(
    'is disposition evidence, which only the service writes',
    '是处置证据，只能由服务写入',
  ),
};

export const { fault, faultAt, saying } = faultsOf(taskFaultMessages);
