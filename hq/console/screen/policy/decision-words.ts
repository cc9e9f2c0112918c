import { catalogue } from '../../word/catalogue.ts';

export const decisionWords = catalogue({
  markEffective: { zh: '标为有效', en: 'Mark effective' },
  withdraw: { zh: '废止', en: 'Withdraw' },
  supersede: { zh: '标为已被取代', en: 'Mark superseded' },
  cancel: { zh: '取消', en: 'Cancel' },
  means: { zh: '这意味着', en: 'What this means' },
  thisFile: { zh: '本文件', en: 'This file' },
  fileBefore: { zh: '现行版本', en: 'The version in force' },
  noneBefore: { zh: '没有现行版本会被取代。', en: 'No version in force is replaced.' },
  becomesEffective: {
    zh: '{count} 条条款可被检索和引用，有效期：{validity}。',
    en: '{count} clauses are found and may be cited. Valid: {validity}.',
  },
  becomesSuperseded: {
    zh: '变为“已被取代”：不再被检索到，旧引用核验为“已被取代”。',
    en: 'Becomes superseded: it is found no more, and what cites it is told so.',
  },
  becomesWithdrawn: {
    zh: '{count} 条条款不再被检索到，旧引用核验为“已废止”。没有新版本接替，也不能恢复为有效。',
    en: 'Its {count} clauses are found no more and must not be cited. It cannot be undone.',
  },
  becomesSupersededByHand: {
    zh: '{count} 条条款不再被检索到，旧引用核验为“已被取代”。不能恢复为有效。',
    en: 'Its {count} clauses are found no more and must not be cited. It cannot be undone.',
  },
  reviewed: { zh: '我已核对 {count} 条条款', en: 'I have read the {count} clauses' },
  reason: { zh: '原因', en: 'Reason' },
  reasonNeeded: { zh: '请填写废止原因', en: 'Say why it is withdrawn' },
  nowEffective: { zh: '已标为有效', en: 'It is effective now' },
  nowWithdrawn: { zh: '已废止', en: 'It is withdrawn' },
  nowSuperseded: { zh: '已标为被取代', en: 'It is marked superseded' },
  stale: {
    zh: '审核期间条款被重新提交，请重新核对',
    en: 'The clauses were submitted again meanwhile; read them anew',
  },
  moved: {
    zh: '文件状态已被他人改变，已刷新',
    en: 'Somebody changed its state first; you see it as it is now',
  },

  upload: { zh: '上传文件', en: 'Upload a file' },
  uploadNext: { zh: '上传新版本', en: 'Upload a new version' },
  drop: { zh: '把文件拖到这里，或点击选择', en: 'Drop the file here, or click to choose it' },
  dropHint: {
    zh: '一个文件，不超过 25 MB：PDF、DOCX、Markdown、TXT',
    en: 'One file of at most 25 MB: PDF, DOCX, Markdown or text',
  },
  tooBig: { zh: '文件超过 25 MB', en: 'The file is larger than 25 MB' },
  fileNeeded: { zh: '请选择文件', en: 'Choose a file' },
  needed: { zh: '请填写', en: 'Fill this in' },
  srcKey: { zh: '文件标识（在来源中唯一）', en: 'Key (its own within the source)' },
  from: { zh: '生效日期', en: 'In force from' },
  until: { zh: '失效日期', en: 'In force until' },
  keepLevel: { zh: '默认（内部，或沿用上一版）', en: 'As usual (internal, or that of the version before)' },
  uploadMeans: {
    zh: '文件先进入“已上传”，解析成条款后等待审核；标为有效之前不会被检索到。',
    en:
      'It is read into clauses and then waits for review; ' +
      'nothing of it is found before it is marked effective.',
  },
  uploadDone: { zh: '已上传，等待解析', en: 'Uploaded; it waits to be read' },
  uploadThere: { zh: '同样的文件已经登记过', en: 'The same file was registered before' },
  keyTaken: {
    zh: '该标识已登记了不同内容的文件，请使用新的标识',
    en: 'Another file is registered under this key; give this one a key of its own',
  },
});
