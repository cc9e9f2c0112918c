import { type MessageOf, sentences } from '../message.ts';

/** Why a site did not do what headquarters asked it for, or could not. */
export const requestRefusalMessages = {
  request_off: sentences(
    'looking in from headquarters is switched off at the site (CORE_REMOTE_CARE=off)',
    '站点已关闭总部远程查看（CORE_REMOTE_CARE=off）',
  ),
  request_expired: sentences(
    'it reached the site after its time was over, and was not carried out',
    '到达站点时已过有效期，未执行',
  ),
  request_not_understood: sentences(
    'the site does not understand it: {where}',
    '站点无法识别该请求：{where}',
  ),
  request_too_many: sentences(
    'the site has {count} requests that are not answered yet',
    '站点还有 {count} 个请求未答复',
  ),
  request_no_manager: sentences(
    'the service does not run under systemd, so nobody would start it again',
    '服务不由 systemd 管理，停止后无人重新启动',
  ),
  request_no_device: sentences('there is no device {device} at the site', '站点没有设备 {device}'),
  request_no_picture: sentences(
    'the site cannot ask a device of this kind for a picture ({kind})',
    '站点无法向此类设备（{kind}）索取图片',
  ),
  request_picture_failed: sentences('the device gave no picture: {reason}', '设备没有给出图片：{reason}'),
  request_file_large: sentences(
    'the answer has {size} bytes, which is more than may go up',
    '答复有 {size} 字节，超出可上传的大小',
  ),
  request_disk: sentences(
    'the disk of the site is too full to write the answer',
    '站点磁盘空间不足，无法写入答复',
  ),
  request_file_changed: sentences(
    'what the site brought is not the file that it announced, {times} times; ask again',
    '站点上传的文件与其声明的不一致（{times} 次），请重新提出请求',
  ),
  request_failed: sentences('it failed: {reason}', '执行失败：{reason}'),
};

export type RequestRefusal = MessageOf<typeof requestRefusalMessages>;
