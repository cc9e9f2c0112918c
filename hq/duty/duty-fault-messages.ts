import { faultsOf } from '../../common/http/fault/room.ts';
import { sentences } from '../../common/message.ts';

/** What is wrong with a rota, a choice or a device. Each is read after the path of the member. */
export const dutyFaultMessages = {
  duty_time: sentences('must be a time of day as 08:00', '必须是 08:00 形式的时刻'),
  duty_moment: sentences('must be a time as 2026-12-24T18:00', '必须是 2026-12-24T18:00 形式的时间'),
  duty_monday: sentences('must be a Monday as 2026-11-30', '必须是星期一，如 2026-11-30'),
  duty_zone: sentences('must be a time zone as Asia/Shanghai', '必须是时区名称，如 Asia/Shanghai'),
  duty_person: sentences(
    'names {name}, who is no user that may see and judge alarms of this tenant',
    '{name} 不是可以查看并研判该租户告警的用户',
  ),
  duty_group: sentences(
    'names {name}, which is no group of sites of this tenant',
    '{name} 不是该租户站点的分组',
  ),
  duty_order: sentences('must be after the begin', '必须晚于开始时间'),
  duty_change: sentences(
    'must name somebody else who is away, or who stands in',
    '须填写不在的人或顶班的人，且二者不同',
  ),
  duty_tenant: sentences('names {name}, which you may not see', '{name} 不在您可见的范围内'),
  duty_mail: sentences('must be an e-mail address', '必须是邮箱地址'),
  duty_endpoint: sentences('must be an address of a push service, https:', '必须是推送服务的 https: 地址'),
  duty_ids: sentences('must be ids of events, separated by commas', '必须是以逗号分隔的事件编号'),
  duty_keys: sentences('must be a key as a browser gives it', '必须是浏览器给出的密钥'),
};

export const { faultAt, saying } = faultsOf(dutyFaultMessages);
