import { sentences } from '../../message.ts';

/** Alarms about how often models were called for a tenant. */
export const modelCallMessages = {
  model_calls_near: sentences(
    [
      '{calls} of {most} calls of today to the model for {what} of {tenant} are made. When all are, ',
      '{then}. Look at what calls so often, or raise {variable}.',
    ],
    [
      '租户 {tenant} 今天调用{what}模型 {calls} 次，上限 {most} 次。达到上限后，{then}。',
      '请查明调用频繁的原因，或调高 {variable}。',
    ],
  ),
  model_calls_spent: sentences(
    [
      'All {most} calls of today to the model for {what} of {tenant} are made; until midnight (Beijing) ',
      '{then}. Look at what calls so often, or raise {variable}.',
    ],
    [
      '租户 {tenant} 今天调用{what}模型已达上限 {most} 次；在今晚零点（北京时间）之前，{then}。',
      '请查明调用频繁的原因，或调高 {variable}。',
    ],
  ),
  model_calls_hour: sentences(
    [
      'The rule {rule} of {tenant} has had the model called {most} times within an hour; its tasks have no ',
      'summary until it fires less. Look at what makes it fire, or raise AGENT_LLM_CALLS_PER_HOUR.',
    ],
    [
      '租户 {tenant} 的规则 {rule} 一小时内已调用模型 {most} 次；触发减少之前，其任务没有摘要。',
      '请查明频繁触发的原因，或调高 AGENT_LLM_CALLS_PER_HOUR。',
    ],
  ),
  model_summary: sentences('summaries', '摘要'),
  model_embedding: sentences('vectors of texts', '文本向量'),
  model_no_summaries: sentences('tasks have no summary', '任务没有摘要'),
  model_no_vectors: sentences('searches go by keywords alone', '检索只按关键词进行'),
};
