import { faultsOf } from '../../http/fault/room.ts';
import { sentences } from '../../message.ts';

/** What is wrong with a key of a consumer. Each is read after the path of the member. */
export const keyFaultMessages = {
  subscription_tenant: sentences(
    [
      'is not that of the subscription {consumer}, which is for {whose}; leave it out, ',
      'or register the subscription for that tenant',
    ],
    '不是订阅 {consumer} 的租户（该订阅用于{whose}）；请不填，或为该租户注册订阅',
  ),
  policy_tenant: sentences(
    'must be given: a key that asks the policy library is of one tenant',
    '必须填写：可查询制度库的密钥只能属于一个租户',
  ),
  every_tenant: sentences('every tenant', '所有租户'),
  this_tenant: sentences('the tenant {tenant}', '租户 {tenant}'),
};

export const { fault, saidOf } = faultsOf(keyFaultMessages);
