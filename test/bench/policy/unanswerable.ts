// Questions that no rule of construction safety answers: of the trade, of the office and of daily life. The
// rule that tells them was found on the first list; the second was written after it, and nothing was changed.
export const unanswerable: readonly string[] = [
  ...['光伏板怎么清洗', '混凝土C30配合比是多少', '世界杯谁赢了', '糖醋排骨怎么做', '手机屏幕碎了去哪里修'],
  ...['钢筋今天多少钱一吨', '瓷砖空鼓怎么补', '成都明天会下雨吗', '电脑开不了机怎么办', '墙面腻子要刮几遍'],
  ...['怎么申请公司的健身房会员卡', '打印机卡纸怎么取出来', '去机场坐几号线地铁', '微信密码忘了怎么找回'],
  ...['螺纹钢的锚固长度怎么算', '柴油发电机怎么换机油滤芯', '全站仪怎么对中整平', '吉他怎么调弦'],
];

export const unanswerableFresh: readonly string[] = [
  ...[
    '美元汇率今天是多少',
    '怎么给阳台的月季剪枝',
    '地暖管要盘多密',
    '投标文件用什么字体',
    '咖啡机漏水怎么修',
  ],
  ...[
    '项目经理的微信是多少',
    '水准仪怎么读数',
    '小区物业费怎么交',
    '沥青混合料的油石比怎么定',
    '狗狗多大打疫苗',
  ],
  ...[
    '中秋节放几天假',
    '怎么把照片导到电脑里',
    '乒乓球台多长',
    '瓦工一天挣多少',
    '美缝剂什么颜色好看',
    '电视剧几点播',
  ],
];
