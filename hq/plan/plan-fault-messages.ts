import { faultsOf } from '../../common/http/fault/room.ts';
import { sentences } from '../../common/message.ts';

/** What is wrong with a plan of a site. Each is read after the path of the member. */
export const planFaultMessages = {
  plan_picture: sentences(
    'must be a PNG, JPEG or WebP picture in base64, at most {bytes} bytes of it',
    '必须是 base64 编码的 PNG、JPEG 或 WebP 图片，且不超过 {bytes} 字节',
  ),
  plan_twice: sentences(
    'names the camera {name}, which is on the plan already',
    '摄像机 {name} 已在平面图上',
  ),
  plan_site: sentences('names no site that brings events of {tenant}', '不是为租户 {tenant} 上报事件的站点'),
};

export const { faultAt } = faultsOf(planFaultMessages);
