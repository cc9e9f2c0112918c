/** A clause of the demonstration's own regulation. */
interface Clause {
  path: string;
  page: number;
  text: string;
}

/** Written for the demonstration; it is no rule of anybody. */
export const REGULATION = {
  key: 'demo-regulation',
  docNo: 'DEMO-HSE-01',
  title: '隧道与起重作业安全规定（演示）',
  version: '2026',
  effectiveDate: '2026-01-01',
  clauses: [
    {
      path: '第一章 通则 / 第 1.1 条',
      page: 1,
      text: '进入作业区的人员必须佩戴安全帽并系紧下颌带；未佩戴的，班组长应立即制止并记录。',
    },
    {
      path: '第一章 通则 / 第 1.2 条',
      page: 1,
      text: '发现人员倒地，先确认周围无瓦斯、触电和坠物危险，再行施救，同时通知现场负责人。',
    },
    {
      path: '第二章 隧道 / 第 2.1 条',
      page: 2,
      text: '掌子面瓦斯浓度达到 1.0% 时停止钻孔作业，达到 1.5% 时切断电源、撤出人员并加强通风。',
    },
    {
      path: '第二章 隧道 / 第 2.2 条',
      page: 2,
      text: '撤出的人员在洞口清点；复工前由安全员复测瓦斯浓度并签字。',
    },
    {
      path: '第三章 起重 / 第 3.1 条',
      page: 3,
      text: '塔吊力矩达到额定值的 90% 时报警，超过 100% 时停止起升，查明原因后方可继续作业。',
    },
    {
      path: '第三章 起重 / 第 3.2 条',
      page: 3,
      text: '吊装区域设警戒线，车辆和无关人员不得进入；六级以上大风停止吊装。',
    },
    {
      path: '第四章 动火与临边 / 第 4.1 条',
      page: 4,
      text: '动火作业须持动火证，设监护人并配备灭火器；作业结束后检查三十分钟。',
    },
    {
      path: '第四章 动火与临边 / 第 4.2 条',
      page: 4,
      text: '临边、洞口的防护栏杆高度不低于 1.2 米；拆除前须经安全员同意，作业后当班恢复。',
    },
  ] satisfies Clause[],
};
