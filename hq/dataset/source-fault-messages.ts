import { faultsOf } from '../../common/http/fault/room.ts';
import { sentences } from '../../common/message.ts';

/** What is wrong with a source of datasets. Each is read after the path of the member. */
export const sourceFaultMessages = {
  source_address: sentences(
    'must be an http:// or https:// address without user name, password, query or fragment',
    '必须是 http:// 或 https:// 地址，不含用户名、密码、查询参数和片段',
  ),
  datasets_once: sentences('must name each dataset once', '每个数据集只能写一次'),
  processors_once: sentences('must feed each processor from one dataset', '每个处理器只能由一个数据集供数'),
  cron: sentences(
    'is not a cron expression such as 0 2 * * *; not understood: {parts}',
    '不是有效的 cron 表达式（例如 0 2 * * *）；无法理解：{parts}',
  ),
  cron_days: sentences(
    'must name days by number or name; L, W and # are not known here',
    '日期须用数字或名称表示，不支持 L、W 和 #',
  ),
  cron_never: sentences('names no day that exists', '没有符合的日期'),
  caller_tenant: sentences('is required, since this caller is bound to none', '必填：该调用方未绑定租户'),
};

export const { fault, saidOf, saying } = faultsOf(sourceFaultMessages);
