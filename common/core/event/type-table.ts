// What the types of events are called, and how grave one is where nobody says so. One table: messages,
// intake of devices and the API read it. A tenant's own words go before it (rules `names.agent` and
// `severities.agent`). A type that is not here is shown by its code and has no severity: it counts as
// medium.
import type { Severity } from './schema.ts';

export interface EventTypeEntry {
  zh: string;
  en: string;
  severity: Severity;
}

type Row = readonly [code: string, zh: string, en: string];

/** Somebody may be dying, or is about to: people are called at once. */
const CRITICAL: readonly Row[] = [
  ['fire.detected', '火情', 'Fire'],
  ['fire.flame', '明火', 'Open flame'],
  ['fire.smoke', '烟雾', 'Smoke'],
  ['smoke.detected', '烟雾', 'Smoke'],
  ['sound.fire_alarm', '火警声', 'Sound of a fire alarm'],
  ['gas.alarm', '气体超限', 'Gas above the limit'],
  ['tunnel.gas_high', '瓦斯浓度偏高', 'Much firedamp'],
  ['person.fall', '人员摔倒', 'Person fell'],
  ['person.violence', '打架斗殴', 'Violence'],
  ['person.sos', '紧急求助', 'Call for help'],
  ['access.duress', '胁迫报警', 'Access under duress'],
  ['vehicle.collision', '车辆碰撞', 'Vehicle collision'],
  ['crane.under_load', '吊物下有人', 'Person under a load'],
  ['machine.zone', '机械危险区有人', 'Person in the zone of a machine'],
  ['slope.movement', '边坡位移', 'Slope moves'],
];

/** Dangerous, or a break-in: to be dealt with now. */
const HIGH: readonly Row[] = [
  ['region.intrusion', '区域入侵', 'Intrusion'],
  ['line.crossing', '越线', 'Line crossed'],
  ['person.intrusion', '人员闯入', 'Person intruded'],
  ['vehicle.intrusion', '车辆闯入', 'Vehicle intruded'],
  ['person.climbing', '人员攀爬', 'Person climbs'],
  ['person.smoking', '吸烟', 'Smoking'],
  ['behavior.smoking', '吸烟', 'Smoking'],
  ['ppe.harness', '未系安全带', 'No safety harness'],
  ['person.no_harness', '未系安全带', 'No safety harness'],
  ['scaffold.defect', '脚手架隐患', 'Defect of a scaffold'],
  ['edge.unprotected', '临边无防护', 'Unprotected edge'],
  ['edge.guardrail_missing', '临边防护缺失', 'Guard rail missing'],
  ['hole.uncovered', '洞口无盖板', 'Uncovered hole'],
  ['fire.exit_blocked', '消防通道堵塞', 'Fire exit blocked'],
  ['crane.overload', '起重机超载', 'Crane overloaded'],
  ['temperature.alarm', '温度报警', 'Temperature alarm'],
  ['sound.scream', '尖叫声', 'Scream'],
  ['sound.breaking', '破碎声', 'Something breaks'],
  ['door.forced', '门被强行打开', 'Door forced'],
  ['camera.tampered', '摄像机被遮挡或破坏', 'Camera tampered with'],
  ['device.opened', '设备外壳被打开', 'Device opened'],
  ['device.illegal_access', '设备非法登录', 'Illegal access to a device'],
];

/** To be put right today. */
const MEDIUM: readonly Row[] = [
  ['person.no_helmet', '未戴安全帽', 'No helmet'],
  ['ppe.helmet', '未戴安全帽', 'No helmet'],
  ['ppe.no_helmet', '未戴安全帽', 'No helmet'],
  ['person.no_vest', '未穿反光衣', 'No reflective vest'],
  ['ppe.vest', '未穿反光衣', 'No reflective vest'],
  ['person.no_workwear', '未穿工作服', 'No workwear'],
  ['person.phoning', '使用手机', 'Uses a phone'],
  ['behavior.phone', '使用手机', 'Uses a phone'],
  ['person.left_post', '人员离岗', 'Left the post'],
  ['person.absence', '人员离岗', 'Left the post'],
  ['person.asleep', '人员睡岗', 'Asleep on duty'],
  ['person.gathering', '人员聚集', 'People gather'],
  ['people.gathering', '人员聚集', 'People gather'],
  ['people.count_changed', '人数异常', 'Unusual number of people'],
  ['region.entrance', '进入区域', 'Entered a region'],
  ['region.loitering', '徘徊', 'Loitering'],
  ['object.person', '发现人员', 'Person seen'],
  ['object.left', '物品遗留', 'Object left'],
  ['object.removed', '物品被移走', 'Object removed'],
  ['vehicle.speeding', '车辆超速', 'Vehicle speeds'],
  ['vehicle.plate_matched', '布控车辆', 'Vehicle on a list'],
  ['face.matched', '布控人员', 'Face on a list'],
  ['ship.detected', '发现船只', 'Ship seen'],
  ['temperature.warning', '温度预警', 'Temperature warning'],
  ['temperature.difference', '温差异常', 'Difference of temperatures'],
  ['temperature.body', '体温异常', 'Body temperature'],
  ['audio.exception', '声音异常', 'Unusual sound'],
  ['sound.yell', '喊叫声', 'Yelling'],
  ['input.triggered', '报警输入', 'Alarm input'],
  ['panel.event', '报警主机事件', 'Report of an alarm panel'],
  ['door.held_open', '门未关', 'Door held open'],
  ['material.blocked_exit', '通道堆料', 'Material blocks a way'],
  ['water.leak', '渗漏水', 'Water leaks'],
  ['dust.high', '扬尘超标', 'Dust above the limit'],
  ['camera.video_loss', '视频丢失', 'Video lost'],
  ['camera.scene_changed', '场景变更', 'Scene changed'],
  ['device.offline', '设备离线', 'Device offline'],
  ['device.network_lost', '网络断开', 'Network lost'],
  ['device.power_fault', '供电故障', 'Power fault'],
  ['device.battery_low', '电量不足', 'Battery low'],
  ['device.hardware_failed', '硬件故障', 'Hardware failed'],
  ['device.recording_failed', '录像异常', 'Recording failed'],
];

/** To be known; nobody is in danger by it. */
const LOW: readonly Row[] = [
  ['motion.detected', '移动侦测', 'Motion'],
  ['object.detected', '发现目标', 'Object seen'],
  ['object.vehicle', '发现车辆', 'Vehicle seen'],
  ['object.animal', '发现动物', 'Animal seen'],
  ['object.package', '发现包裹', 'Package seen'],
  ['object.count', '目标计数', 'Count of objects'],
  ['object.rapid_move', '快速移动', 'Moves fast'],
  ['person.running', '人员奔跑', 'Person runs'],
  ['ppe.mask', '未戴口罩', 'No mask'],
  ['region.exit', '离开区域', 'Left a region'],
  ['people.count', '人数统计', 'Count of people'],
  ['people.queue', '排队检测', 'Queue'],
  ['people.heatmap', '热度图', 'Heat map'],
  ['face.detected', '人脸抓拍', 'Face captured'],
  ['vehicle.plate', '车牌识别', 'Plate read'],
  ['vehicle.parking', '车辆违停', 'Vehicle parked'],
  ['access.event', '门禁事件', 'Access event'],
  ['door.state', '门状态', 'State of a door'],
  ['doorbell.pressed', '门铃', 'Doorbell'],
  ['output.switched', '报警输出', 'Output switched'],
  ['fire.night_light', '夜间灯光', 'Light at night'],
  ['camera.defocused', '虚焦', 'Out of focus'],
  ['camera.video_bad', '视频质量异常', 'Bad picture'],
  ['camera.day_night', '日夜切换', 'Day and night'],
  ['camera.bitrate_limited', '码率受限', 'Bit rate limited'],
  ['device.disk_full', '硬盘满', 'Disk full'],
  ['device.disk_error', '硬盘错误', 'Disk error'],
  ['device.storage', '存储状态', 'State of the storage'],
  ['device.address_conflict', '地址冲突', 'Address conflict'],
  ['device.restarted', '设备重启', 'Device restarted'],
  ['device.login', '设备登录', 'Login at a device'],
  ['device.logout', '设备登出', 'Logout at a device'],
];

const entries = (rows: readonly Row[], severity: Severity): [string, EventTypeEntry][] =>
  rows.map(([code, zh, en]) => [code, { zh, en, severity }]);

/** By the code of the type, the gravest first. */
export const eventTypeTable: ReadonlyMap<string, EventTypeEntry> = new Map([
  ...entries(CRITICAL, 'critical'),
  ...entries(HIGH, 'high'),
  ...entries(MEDIUM, 'medium'),
  ...entries(LOW, 'low'),
]);

/** What a type is called, in English and in Chinese; its code where the table does not have it. */
export function typeWords(type: string): readonly [en: string, zh: string] {
  const entry = eventTypeTable.get(type);
  return entry ? [entry.en, entry.zh] : [type, type];
}

/** How grave an event of a type is where neither its sender nor its tenant says so; null: unknown. */
export const standardSeverity = (type: string): Severity | null => eventTypeTable.get(type)?.severity ?? null;
