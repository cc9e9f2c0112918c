// A stand-in for an embedding model, deterministic. Texts are bags of words and character
// groups, hashed; words that mean the same are folded into one before that, which is all it knows of meaning.
import { hash } from 'node:crypto';

export const STAND_IN = 'stand-in';
const DIM = 2_048;
const CONCEPT_WEIGHT = 2;

/** Each line: words of one meaning, as people say it and as regulations write it. */
const MEANINGS: readonly string[] = [
  '架子 脚手架',
  '竖杆 立杆',
  '篮子 吊篮',
  '人货电梯 施工升降机',
  '塔吊 塔式起重机 塔机',
  '掉落 坠落',
  '拉结 连墙件',
  '堆 放土 堆土 堆载',
  '坑口 坑边 基坑',
  '煤气 燃气',
  '挖破 挖断 碰坏',
  '跑 撤离 撤',
  '放炮 爆破',
  '炮眼 钻孔 炮孔',
  '电房 配电室',
  '着火 起火 着了 失火',
  '灭火的 灭火器',
  '动火票 动火证',
  '木工 锯末',
  '网 安全网',
  '破 破损 坏了',
  '下井 进入 有限空间',
  '吹风 通风',
  '清泥 清淤',
  '泵管 泵车',
  '塑料帽子 安全帽',
  '戴 佩戴',
  '鞋 脚',
  '工人 人员 作业人员',
  '住 宿舍 屋子',
  '倒下水 倒入下水道',
  '打药 农药',
  '体检 职业病',
  '告诉 告知 通知',
  '新人 新工人',
  '课时 学时 培训',
  '歇 离岗',
  '重新学 重新培训',
  '误报 误报核实',
  '理由 原因',
  '水泥 混凝土',
  '浇水 养护',
  '样板 样板引路',
  '大面积 大面积施工',
  '晚上 夜间',
  '点头 批准 同意 谁批',
  '死了人 死亡',
  '钟头 小时',
  '上报 报告 往上报',
  '中毒 窒息',
  '锯片 圆盘锯',
  '牙 齿',
  '多久 多长时间 几天 期限 有效期',
  '多远 距离 米',
  '最多 不超过 不得大于',
  '至少 最少 不少于',
  '能不能 可以 行吗 能 不得 严禁 禁止',
  '检查 看一遍 复核',
  '大风 刮风 刮完',
  '下雨 雨天 暴雨',
  '记录 记 台账 留档',
  '救 救援 急救',
  '电线 线路 电缆',
  '漏电 触电',
  '钢丝绳 吊绳',
  '孩子 未成年',
  '喝酒 酒后',
  '气瓶 钢瓶',
  '充电 电瓶 蓄电池',
  '毒气 有毒 气体',
  '疏散 逃生',
  '食堂 饭堂',
  '摄像头 摄像机 监控',
  'carry moved move lift',
  'people persons workers',
  'ditch trench',
  'supports shored battered',
  'travel ride',
  'bucket skip skips',
  'electrolyte acid battery',
  'wash rinsed',
  'sounds alarms detector',
  'cold plant refrigeration',
  'headcount count',
  'told report',
  'picture photos photo',
  'injured casualties casualty',
  'how long minutes hours days',
  'how deep depth deeper metres',
  'may allowed not never shall',
  'often every inspected checked',
  'crane cranes load',
  'fire burning flame',
  'gas leak',
  'ladder ladders',
  'truck vehicle',
  'keep kept retained',
  'wind gust',
];

const concepts: readonly (readonly string[])[] = MEANINGS.map((line) => line.split(' '));

export function standInVector(text: string): Float32Array {
  const vector = new Float32Array(DIM);
  const add = (feature: string, weight: number): void => {
    const digest = hash('sha256', feature, 'buffer');
    vector[digest.readUInt16LE(0) % DIM] =
      (vector[digest.readUInt16LE(0) % DIM] as number) + ((digest[2] as number) & 1 ? weight : -weight);
  };
  const lower = text.toLowerCase();
  concepts.forEach((words, at) => {
    if (words.some((word) => lower.includes(word))) add(`meaning ${at}`, CONCEPT_WEIGHT);
  });
  for (const [word] of lower.matchAll(/[a-z0-9]+/g)) add(word, 0.5);
  const characters = [...lower.replace(/[^\p{Script=Han}]/gu, '')];
  for (let at = 0; at + 1 < characters.length; at += 1) add(`${characters[at]}${characters[at + 1]}`, 0.5);
  if (vector.every((value) => value === 0)) vector[0] = 1;
  return vector;
}
