// Words of a question that say how it is asked, not what it is about. They have no weight: where they stand a
// question is cut in two.

const WORDS = [
  ...'能不能 可不可以 是不是 要不要 行不行 有没有 会不会 该不该 需不需要 用不用 准不准 允不允许 可否 能否 是否'.split(
    ' ',
  ),
  ...'不能 不可以 可以 不可 不行 不用 不要 就要 就能 才能 才可以 还能 还要 都要 能用 应该 需要 必须 应当 得不得'.split(
    ' ',
  ),
  ...'怎么办 怎么样 怎么 怎样 如何 咋办 咋 为什么 为啥 什么时候 什么样 什么 啥 哪些 哪个 哪种 哪里 哪儿 谁'.split(
    ' ',
  ),
  ...'多少天 多少米 多少伏 多少个 多少人 多少次 多少 多久 多长时间 多少时间 最多 最少 最远 至少 最高 最低'.split(
    ' ',
  ),
  ...'几个 几次 几天 几米 几人 几根 几层 几级 几种 几台 几'.split(' '),
  ...'请问 我们 你们 他们 咱们 这个 那个 这种 那种 一下 一个 两个 时候 的话 以后 之后 里面 上面 下去 上去 进去 过来'.split(
    ' ',
  ),
  // As people talk, in the south-west, the north-east and on the phone.
  ...'啥子 咋个 咋样 咋整 咋弄 要得 得行 莫得 晓得 晓不晓得 好多 好久 几时 哪块 哪样 哪门 问一哈 一哈 一下子 管不管 行不 要不 用不用'.split(
    ' ',
  ),
  ...'老有 老是 总是 有人 师傅 老师 兄弟伙 兄弟们 伙计 大哥 请教 帮忙 看看 麻烦 刚刚 刚才 现在 然后 还是 已经 一直 随便 直接'.split(
    ' ',
  ),
  ...'里头 里边 上头 之前 以前 的时候 那边 这边 那里 这里 那么 这么'.split(' '),
  ...'吗 呢 吧 啊 呀 嘛 咯 咧 哟 噻 嘞 哎 诶 喂 哈 的 了 往 里'.split(' '),
];

/** Words that hold one of them and are none. */
const KEPT = [
  '目的',
  '里程',
  '公里',
  '往复',
  '以往',
  '往返',
  '了解',
  '标的',
  '几何',
  '谁主管',
  '不可燃',
  '不可逆',
  '不可抗力',
  '不能承受',
];

/** Longest first, so that no word is found inside a longer one. */
const longestFirst = (words: readonly string[]): string =>
  [...words].sort((a, b) => b.length - a.length).join('|');

const PATTERN = new RegExp(`(${longestFirst(KEPT)})|(?:${longestFirst(WORDS)})`, 'gu');

/** The text with a space for each function word. */
export const withoutFunctionWords = (text: string): string =>
  text.replace(PATTERN, (_, kept: string | undefined) => kept ?? ' ');

/** Characters that more than a fifth of the clauses of laws and rules have: alone they tell none apart. */
const COMMON = new Set(
  '的条第十人应定当行有和规理以者管法或部关二用设门位单工一三本生其责安对不施政建事在全机合业照民保等四制产及可经' +
    '动并处作五依监下按时为发他主上国由公实进通任内要同市务程',
);

/** Whether a character may tell one clause from another. */
export const tellsApart = (character: string): boolean => !COMMON.has(character);
