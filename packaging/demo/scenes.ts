/** What the simulated cameras see: ordinary incidents of a construction site and a tunnel. */
export interface Scene {
  type: string;
  severity: 'low' | 'medium' | 'high' | 'critical';
  source: 'video' | 'quick_photo';
  kind: 'alert' | 'observation';
  title: string;
  description: string;
}

export const scenes: readonly Scene[] = [
  {
    type: 'ppe.no_helmet',
    severity: 'medium',
    source: 'video',
    kind: 'alert',
    title: '未戴安全帽',
    description: '一名工人在塔吊作业区内未佩戴安全帽',
  },
  {
    type: 'vehicle.intrusion',
    severity: 'high',
    source: 'video',
    kind: 'alert',
    title: '车辆闯入',
    description: '渣土车驶入人行通道',
  },
  {
    type: 'person.intrusion',
    severity: 'high',
    source: 'video',
    kind: 'alert',
    title: '人员闯入',
    description: '有人进入基坑临边警戒区',
  },
  {
    type: 'fire.smoke',
    severity: 'critical',
    source: 'video',
    kind: 'alert',
    title: '发现烟雾',
    description: '材料堆场上方出现烟雾',
  },
  {
    type: 'fire.night_light',
    severity: 'low',
    source: 'video',
    kind: 'observation',
    title: '夜间灯光',
    description: '夜间照明引起的亮斑',
  },
  {
    type: 'person.fall',
    severity: 'critical',
    source: 'video',
    kind: 'alert',
    title: '人员倒地',
    description: '工人倒地超过 20 秒未起身',
  },
  {
    type: 'tunnel.gas_high',
    severity: 'critical',
    source: 'video',
    kind: 'alert',
    title: '瓦斯浓度偏高',
    description: '掌子面瓦斯读数超过报警值',
  },
  {
    type: 'edge.guardrail_missing',
    severity: 'medium',
    source: 'quick_photo',
    kind: 'alert',
    title: '临边防护缺失',
    description: '三层楼板北侧护栏缺失',
  },
  {
    type: 'crane.overload',
    severity: 'high',
    source: 'video',
    kind: 'alert',
    title: '吊装超载',
    description: '塔吊力矩达到额定值的 104%',
  },
  {
    type: 'material.blocked_exit',
    severity: 'low',
    source: 'quick_photo',
    kind: 'observation',
    title: '通道堆料',
    description: '钢筋堆放占用消防通道',
  },
];

/** A small reproducible generator (mulberry32): the same seed gives the same run. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface SceneEvent extends Record<string, unknown> {
  idempotency_key: string;
  local_alert_no: string;
  type: string;
  payload: { frame: number } & Record<string, unknown>;
}

/** One event of the run; `number` counts from 1. @param now epoch milliseconds of the camera's clock */
export function sceneEvent(
  camera: { name: string; run: string; tenant: string | null; feedbackUrl: string | null },
  number: number,
  random: () => number,
  now: number,
): SceneEvent {
  const scene = scenes[Math.floor(random() * scenes.length)] as Scene;
  const alertNo = `${camera.name}-${camera.run}-${String(number).padStart(6, '0')}`;
  return {
    idempotency_key: alertNo,
    local_alert_no: alertNo,
    type: scene.type,
    kind: scene.kind,
    source: scene.source,
    severity: scene.severity,
    occurred_at: new Date(now).toISOString(),
    site_ref: 'tunnel-7',
    camera_ref: camera.name,
    camera_name: `${camera.name} 摄像机`,
    point_ref: `P${1 + Math.floor(random() * 8)}`,
    title: scene.title,
    description: scene.description,
    ...(camera.tenant === null ? {} : { tenant_code: camera.tenant }),
    ...(camera.feedbackUrl === null ? {} : { feedback_url: camera.feedbackUrl }),
    judged: {
      type: scene.type,
      confidence: Math.round((0.55 + random() * 0.44) * 100) / 100,
      by: 'edge-model',
      model_version: '4.2.0',
    },
    payload: {
      box: [random(), random(), random(), random()].map((part) => Math.round(part * 1920)),
      frame: number,
      exposure: 'auto',
    },
  };
}
