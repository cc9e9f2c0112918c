import { JSON_OPTION, OVERLAP_HOURS } from '../../../common/terminal/command-table.ts';
import { siteCommand } from '../context.ts';

const KEY = {
  value: 'KEY',
  summary: { en: 'key id of the camera, as node list shows it', zh: '摄像机的密钥 ID，见 node list' },
} as const;

/** The cameras that may post here. */
export const nodeCommands = [
  siteCommand({
    name: 'node add',
    summary: { en: 'register a camera; its key and secret are shown once', zh: '登记摄像机，密钥只显示一次' },
    options: {
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
    },
    examples: [
      {
        line: 'node add --tenant acme --name gate-camera',
        what: { en: 'prints what to type into the camera', zh: '显示要填入摄像机的内容' },
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
    name: 'node remove',
    summary: { en: 'refuse a camera from now on', zh: '移除摄像机，立即拒绝其请求' },
    positionals: { key: KEY },
    run: async (typed, context) => (await import('../node.ts')).removeNode(typed, context),
  }),
];
