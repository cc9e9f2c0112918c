import { JSON_OPTION } from '../../../common/terminal/command-table.ts';
import { requestKinds } from '../../../common/uplink/request/schema.ts';
import { hubCommand } from '../context.ts';

const INSTANCE = { value: 'INSTANCE', summary: { en: 'name of the site', zh: '站点名称' } } as const;
const ID = {
  value: 'ID',
  summary: { en: 'of the request, as site answers shows it', zh: '请求编号' },
} as const;
const FILE = {
  value: 'FILE',
  file: true,
  summary: { en: 'where the bundle or the picture is saved', zh: '诊断包或图片的保存位置' },
} as const;

/** Looking into sites. */
export const requestCommands = [
  hubCommand({
    name: 'site ask',
    summary: {
      en: 'have a site look at something, or start its service again',
      zh: '请站点查看情况，或重启其服务',
    },
    description: {
      en:
        'check, status, log and bundle are what these commands say at the site; picture and try are of a ' +
        'device. The site does it when it has a link, unless its owner has switched that off.',
      zh: 'check、status、log、bundle 与站点本机命令相同；picture 和 try 针对设备。站点联通后执行，除非其所有者已关闭远程查看。',
    },
    positionals: {
      instance: INSTANCE,
      what: { value: 'WHAT', choices: requestKinds, summary: { en: 'what to do', zh: '要做什么' } },
    },
    options: {
      device: {
        value: 'KEY',
        summary: { en: 'of the device, for picture and try', zh: '设备的密钥 ID，用于 picture 和 try' },
      },
      lines: { value: 'COUNT', number: true, summary: { en: 'of the log; 200', zh: '日志行数，默认 200' } },
      seconds: {
        value: 'SECONDS',
        number: true,
        summary: { en: 'to listen to the device; 30', zh: '监听设备的秒数，默认 30' },
      },
      minutes: {
        value: 'MINUTES',
        number: true,
        summary: { en: 'after which it is not done any more; 60', zh: '多少分钟后不再执行，默认 60' },
      },
      wait: {
        value: 'SECONDS',
        number: true,
        summary: { en: 'to wait here for the answer; 60', zh: '在此等待答复的秒数，默认 60' },
      },
      file: FILE,
    },
    examples: [
      {
        line: 'site ask tunnel-7 check',
        what: { en: 'what is wrong at the site, and what to do', zh: '站点有何问题、如何处理' },
      },
      {
        line: 'site ask tunnel-7 picture --device gate --file gate.jpg',
        what: { en: 'what a camera shows now', zh: '摄像机当前画面' },
      },
    ],
    exits: {
      1: { en: 'no answer yet, or the site needs a look', zh: '尚未答复，或站点需要查看' },
    },
    run: async (typed, context) => (await import('../request.ts')).askSite(typed, context),
  }),
  hubCommand({
    name: 'site answers',
    summary: { en: 'list what a site was asked for', zh: '列出对站点的请求' },
    positionals: { instance: INSTANCE },
    options: { json: JSON_OPTION },
    looks: true,
    run: async (typed, context) => (await import('../request.ts')).listAnswers(typed, context),
  }),
  hubCommand({
    name: 'site answer',
    summary: { en: 'show what came of a request', zh: '查看某个请求的答复' },
    positionals: {
      instance: INSTANCE,
      id: ID,
    },
    options: { file: FILE },
    run: async (typed, context) => (await import('../request.ts')).showAnswer(typed, context),
  }),
  hubCommand({
    name: 'site withdraw',
    summary: { en: 'withdraw a request that is not answered', zh: '撤回尚未答复的请求' },
    description: {
      en:
        'One that waits here never goes to the site. One that was sent may be carried out all the same; an ' +
        'answer that comes is kept.',
      zh: '仍在总部等待的请求不会下发。已下发的请求站点仍可能执行，之后到达的答复会保存。',
    },
    positionals: { instance: INSTANCE, id: ID },
    run: async (typed, context) => (await import('../request.ts')).withdrawRequest(typed, context),
  }),
];
