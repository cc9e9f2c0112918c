import { siteCommand } from '../context.ts';

export const setupCommands = [
  siteCommand({
    name: 'setup',
    summary: { en: 'name this site and join it to headquarters', zh: '设置站点名称并接入总部' },
    description: {
      en:
        'What is not given by an option is asked for at the terminal; Enter keeps what is there already, ' +
        'the key too. The link is tried before anything is saved, and what does not work is asked for ' +
        'again. The configuration takes effect at the next start of the site.',
      zh:
        '选项中没有给出的内容会在终端询问，直接回车则保留已有内容（包括密钥）。先测试链路，通过后才保存，' +
        '不通过时只重新询问有问题的一项；下次启动时生效。',
    },
    options: {
      instance: {
        value: 'NAME',
        summary: { en: 'name of this site, as registered at headquarters', zh: '站点名称，与总部登记的一致' },
      },
      url: { value: 'ADDRESS', summary: { en: 'address of headquarters', zh: '总部地址' } },
      code: {
        value: 'CODE',
        summary: {
          en: 'joining code of headquarters (fieldline-hq site code), which gives the key and the name',
          zh: '总部的接入码（fieldline-hq site code），用来取得密钥和名称',
        },
      },
      key: {
        value: 'ID:SECRET',
        summary: {
          en: 'key that headquarters printed; others on this machine can see it while the command runs',
          zh: '总部给出的密钥；命令执行期间本机其他用户可能看到',
        },
      },
      'key-file': {
        value: 'FILE',
        file: true,
        summary: { en: 'file that holds the key', zh: '存有密钥的文件' },
      },
      ca: {
        value: 'FILE',
        file: true,
        summary: {
          en: 'certificate of the authority that headquarters has its own from, in PEM form',
          zh: '总部证书的签发机构证书（PEM 格式）',
        },
      },
      'no-uplink': {
        summary: { en: 'this site has no headquarters', zh: '本站没有总部' },
      },
      'no-test': {
        summary: { en: 'save without trying the link', zh: '不测试链路，直接保存' },
      },
      restart: {
        summary: { en: 'restart the site once it is saved', zh: '保存后重启站点' },
      },
      file: {
        value: 'FILE',
        file: true,
        summary: {
          en: 'configuration to write; /etc/fieldline-site/site.env without it',
          zh: '要写入的配置文件；默认 /etc/fieldline-site/site.env',
        },
      },
      'uplink-key-path': {
        value: 'FILE',
        file: true,
        summary: { en: 'where the key is kept', zh: '密钥的保存位置' },
      },
    },
    examples: [
      {
        line: 'setup',
        what: { en: 'asks for everything', zh: '逐项询问' },
      },
      {
        line: 'setup --url https://hq.example --code 7K2M-Q9TD',
        what: { en: 'asks nothing; the key is fetched from headquarters', zh: '不询问；密钥从总部取得' },
      },
      {
        line: 'setup --instance tunnel-7 --url https://hq.example --key-file /root/key --ca /root/ca.pem',
        what: {
          en: 'asks nothing; headquarters has a certificate of its own authority',
          zh: '不询问；总部使用自建机构的证书',
        },
      },
    ],
    exits: {
      1: { en: 'the link does not work; nothing was saved', zh: '链路不通，没有保存' },
    },
    run: async (typed, context) => (await import('../setup/setup.ts')).setup(typed, context),
  }),
];
