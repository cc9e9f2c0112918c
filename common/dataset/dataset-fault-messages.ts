import { faultsOf } from '../http/fault/room.ts';
import { sentences } from '../message.ts';

/** What is wrong with a call for datasets that are served, or with what they declare; read after the path. */
export const servedFaultMessages = {
  key_tenant: sentences('is required, since this key is bound to none', '必填：该密钥未绑定租户'),
  dataset_cursor: sentences(
    'must be <update time with microseconds>|<primary key>, as nextCursor gives it',
    '必须是“更新时间（含微秒）|主键”，即 nextCursor 给出的形式',
  ),
  row_member: sentences('is a member of every row', '是每一行都有的成员'),
  fields_once: sentences('must name each field once', '每个字段只能写一次'),
};

export const { fault, saying } = faultsOf(servedFaultMessages);
