import { sentences } from '../../common/message.ts';

/** What all commands say that speak to the running hub. */
export const commandMessages = {
  silent: sentences(
    [
      'the hub does not answer at {socket}; is it running, and with the same CORE_DATA_DIR? See: ',
      'systemctl status fieldline-hq',
    ],
    '总部服务在 {socket} 没有应答；请确认服务正在运行，且 CORE_DATA_DIR 与服务一致。查看：systemctl status fieldline-hq',
  ),
  late: sentences(
    [
      'the hub is there at {socket} and does not answer in time: it hangs, or is overwhelmed. What ',
      'went wrong: fieldline-hq logs',
    ],
    '总部服务的 {socket} 存在，但没有及时应答：程序停滞或过载。查看原因：fieldline-hq logs',
  ),
  forbidden: sentences(
    '{socket} may not be used by you; run it as root',
    '当前用户不能使用 {socket}；请以 root 运行',
  ),
  // What an error answer means, by its code: its own message says it all in English.
  refused_validation_failed: sentences('{said}', '填写有误（{said}）'),
  refused_not_found: sentences('{said}', '没有这一项，请核对（{said}）'),
  refused_key_exists: sentences('{said}', '名称已被占用，请换一个（{said}）'),
  refused_site_exists: sentences('{said}', '站点已登记；请更换其密钥，或先移除（{said}）'),
  refused_user_exists: sentences('{said}', '用户已存在，请换一个名称（{said}）'),
  refused_release_exists: sentences('{said}', '该版本已存在且内容不同，版本号不能重复使用（{said}）'),
  refused_release_in_use: sentences('{said}', '该版本正在分批升级中，请先中止（{said}）'),
  refused_release_incomplete: sentences('{said}', '该版本不存在或安装包未全部上传（{said}）'),
  refused_release_unsigned: sentences('{said}', '签名与总部持有的任何公钥都不符（{said}）'),
  refused_package_mismatch: sentences('{said}', '安装包与版本文件中声明的不符（{said}）'),
  refused_rollout_over: sentences('{said}', '该分批升级已结束（{said}）'),
  refused_sites_held: sentences('{said}', '部分站点正在其他分批升级中（{said}）'),
  refused_unavailable: sentences('{said}', '暂不可用，请稍后再执行（{said}）'),
  migrated: sentences('The database is at this version.', '数据库已是当前版本。'),
};
