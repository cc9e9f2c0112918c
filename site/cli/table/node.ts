import { severities } from '../../../common/core/event/schema.ts';
import { JSON_OPTION, OVERLAP_HOURS } from '../../../common/terminal/command-table.ts';
import { deviceKinds } from '../../intake/drivers.ts';
import { pushAuths } from '../../intake/record.ts';
import { siteCommand } from '../context.ts';

const KEY = {
  value: 'KEY',
  summary: { en: 'key id of the camera, as node list shows it', zh: '摄像机的密钥 ID，见 node list' },
} as const;

const PASSWORD_STDIN = {
  summary: { en: 'read the password from standard input', zh: '从标准输入读取密码' },
} as const;
const USER = {
  value: 'USER',
  summary: { en: 'of the account in the device; asks for its password', zh: '设备中的用户名；随后询问密码' },
} as const;

/** The cameras that may post here, or that are connected to. */
export const nodeCommands = [
  siteCommand({
    name: 'node add',
    summary: { en: 'register a camera; its key and secret are shown once', zh: '登记摄像机，密钥只显示一次' },
    description: {
      en:
        'Without --kind for a node that signs its requests. With it for a camera, recorder or program that ' +
        'cannot: the path that is shown is its secret. The page of operation says for each kind which menu ' +
        'of the camera is meant, and what is known not to work. With --address the site connects to the ' +
        'device, as --user with the password that is asked for.',
      zh:
        '不带 --kind 登记能签名的节点；带 --kind 登记不能签名的摄像机、录像机或程序，显示的路径即其机密。各类设备的菜单位置和已知限制见运维文档。' +
        '带 --address 时由本站以 --user 及随后询问的密码连接设备。',
    },
    options: {
      kind: {
        value: 'KIND',
        choices: deviceKinds,
        summary: { en: 'how the device reports, when it cannot sign', zh: '不能签名的设备的上报方式' },
      },
      tenant: {
        value: 'TENANT',
        required: true,
        summary: {
          en: 'whose events they are; headquarters must allow this tenant to the site',
          zh: '事件所属的租户；须是总部允许本站上传的租户',
        },
      },
      name: { value: 'NAME', required: true, summary: { en: 'name of the camera', zh: '摄像机名称' } },
      'key-id': {
        value: 'KEY',
        summary: { en: 'key id to use; one is made without it', zh: '指定密钥 ID；默认自动生成' },
      },
      'camera-ref': {
        value: 'REF',
        summary: { en: 'of a device: its camera in events', zh: '设备：事件中的摄像机编号' },
      },
      'site-ref': {
        value: 'REF',
        summary: { en: 'of a device: the place in events', zh: '设备：事件中的地点编号' },
      },
      channel: {
        value: 'CHANNEL=REF',
        multiple: true,
        summary: { en: 'of a recorder: the camera of a channel', zh: '录像机：通道对应的摄像机编号' },
      },
      type: {
        value: 'WORD=TYPE',
        multiple: true,
        summary: { en: "event type of a device's own word", zh: '设备自身类型名对应的事件类型' },
      },
      field: {
        value: 'FIELD=PATH',
        multiple: true,
        summary: {
          en: 'of a webhook: where type, id, time, camera, title, severity, state, picture, list stand',
          zh: 'webhook：type、id、time、camera、title、severity、state、picture、list 在 JSON 中的路径',
        },
      },
      'state-end': {
        value: 'WORD',
        multiple: true,
        summary: {
          en: 'a word of the state of a webhook by which an alarm is over, in place of the usual ones',
          zh: '回调中表示报警结束的状态值，代替内置的常用值',
        },
      },
      'severity-word': {
        value: 'WORD=SEVERITY',
        multiple: true,
        summary: {
          en: 'the severity of a word of a webhook, as 3=high',
          zh: '回调中级别值对应的级别，例如 3=high',
        },
      },
      severity: {
        value: 'SEVERITY',
        choices: severities,
        summary: { en: 'severity of the events of a device', zh: '设备事件的严重程度' },
      },
      silence: {
        value: 'SECONDS',
        number: true,
        summary: {
          en: 'an alarm that is not repeated for so long is over; 30 unless given',
          zh: '报警多久没有重复即视为结束；默认 30',
        },
      },
      auth: {
        value: 'AUTH',
        choices: pushAuths,
        summary: { en: 'what a device shows beside its path', zh: '设备除路径外的认证方式' },
      },
      address: {
        value: 'ADDRESS',
        summary: {
          en: 'connect to the device there, as http://192.168.1.64',
          zh: '由本站连接设备的地址，例如 http://192.168.1.64',
        },
      },
      topic: {
        value: 'TOPIC',
        summary: {
          en: "of a broker: Frigate's topic_prefix, or the topic of Axis cameras",
          zh: 'MQTT：Frigate 的 topic_prefix，或 Axis 摄像机的主题',
        },
      },
      'api-address': {
        value: 'ADDRESS',
        summary: {
          en: "of Frigate's HTTP API, for pictures and verdicts, as http://192.168.1.5:5000",
          zh: 'Frigate HTTP 接口地址，用于图片和研判结果，例如 http://192.168.1.5:5000',
        },
      },
      user: USER,
      'password-stdin': PASSWORD_STDIN,
      'password-ref': {
        value: 'NAME',
        summary: { en: 'name of a secret that holds the password', zh: '保存该密码的密钥名称' },
      },
      'tls-ca': {
        value: 'FILE',
        file: true,
        summary: { en: 'certificates (PEM) that are trusted for it', zh: '信任的证书文件（PEM）' },
      },
      'tls-fingerprint': {
        value: 'SHA256',
        summary: { en: 'the only certificate that it may show', zh: '只接受此 SHA-256 指纹的证书' },
      },
      'tls-unverified': {
        summary: { en: 'take any certificate', zh: '接受任何证书' },
      },
      quiet: {
        value: 'SECONDS',
        number: true,
        summary: {
          en: 'a connection that brings nothing for so long is made anew',
          zh: '连接多久没有数据即重连',
        },
      },
      network: {
        value: 'NETWORK',
        multiple: true,
        summary: {
          en: 'from where a device may post; everywhere without it',
          zh: '设备的来源网段；默认不限',
        },
      },
    },
    examples: [
      {
        line: 'node add --tenant acme --name gate-camera',
        what: { en: 'prints what to type into the camera', zh: '显示要填入摄像机的内容' },
      },
      {
        line: 'node add --tenant acme --name gate --kind hikvision --camera-ref cam-gate',
        what: { en: 'a Hikvision camera that posts as it is', zh: '直接上报的海康威视摄像机' },
      },
      {
        line: 'node add --tenant acme --name gate --kind hikvision --address http://192.168.1.64 --user events',
        what: { en: 'the same, where the site connects to it', zh: '同上，由本站连接设备' },
      },
    ],
    exits: {
      1: {
        en: 'registered, with a note of what is likely not meant so',
        zh: '已登记，但有需要核对的提示',
      },
    },
    run: async (typed, context) => (await import('../node.ts')).addNode(typed, context),
  }),
  siteCommand({
    name: 'node list',
    summary: { en: 'list the cameras that may send', zh: '列出已登记的摄像机' },
    options: { json: JSON_OPTION },
    looks: true,
    run: async (typed, context) => (await import('../node.ts')).listNodes(typed, context),
  }),
  siteCommand({
    name: 'node rotate',
    summary: { en: 'give a camera a new secret; it is shown once', zh: '更换摄像机的密钥，只显示一次' },
    positionals: { key: KEY },
    options: { 'overlap-hours': OVERLAP_HOURS },
    run: async (typed, context) => (await import('../node.ts')).rotateNode(typed, context),
  }),
  siteCommand({
    name: 'node try',
    summary: {
      en: 'show what a device sends, and what it becomes',
      zh: '查看设备发来的内容及其对应的事件',
    },
    positionals: { key: KEY },
    options: {
      seconds: {
        value: 'SECONDS',
        number: true,
        summary: { en: 'how long to wait, 1 to 50; 30 unless given', zh: '等待秒数，1 至 50；默认 30' },
      },
      json: JSON_OPTION,
    },
    run: async (typed, context) => (await import('../device.ts')).tryDevice(typed, context),
  }),
  siteCommand({
    name: 'node password',
    summary: {
      en: 'give the password with which a device is connected to',
      zh: '填写连接设备所用的密码',
    },
    positionals: { key: KEY },
    options: { user: USER, 'password-stdin': PASSWORD_STDIN },
    run: async (typed, context) => (await import('../device.ts')).givePassword(typed, context),
  }),
  siteCommand({
    name: 'node remove',
    summary: { en: 'refuse a camera from now on', zh: '移除摄像机，立即拒绝其请求' },
    positionals: { key: KEY },
    run: async (typed, context) => (await import('../node.ts')).removeNode(typed, context),
  }),
];
