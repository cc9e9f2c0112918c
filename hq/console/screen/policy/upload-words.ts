import { catalogue } from '../../word/catalogue.ts';

export const uploadWords = catalogue({
  upload: { zh: '上传文件', en: 'Upload a file' },
  uploadNext: { zh: '上传新版本', en: 'Upload a new version' },
  cancel: { zh: '取消', en: 'Cancel' },
  drop: { zh: '把文件拖到这里，或点击选择', en: 'Drop the file here, or click to choose it' },
  dropHint: {
    zh: '一个文件，不超过 25 MB：PDF、DOCX、HTML、Markdown、TXT，或图片（PNG、JPEG、TIFF）',
    en: 'One file of at most 25 MB: PDF, DOCX, HTML, Markdown, text, or a picture (PNG, JPEG, TIFF)',
  },
  tooBig: { zh: '文件超过 25 MB', en: 'The file is larger than 25 MB' },
  fileNeeded: { zh: '请选择文件', en: 'Choose a file' },
  needed: { zh: '请填写', en: 'Fill this in' },
  srcKey: { zh: '文件标识（在来源中唯一）', en: 'Key (its own within the source)' },
  from: { zh: '生效日期', en: 'In force from' },
  until: { zh: '失效日期', en: 'In force until' },
  keepLevel: { zh: '默认（内部，或沿用上一版）', en: 'As usual (internal, or that of the version before)' },
  uploadMeans: {
    zh: '总部随即把文件解析成条款，之后等待审核；标为有效之前不会被检索到。',
    en:
      'Headquarters reads it into clauses; then it waits for review, and ' +
      'nothing of it is found before it is marked effective.',
  },
  uploadDone: { zh: '已上传，等待解析', en: 'Uploaded; it waits to be read' },
  uploadThere: { zh: '同样的文件已经登记过', en: 'The same file was registered before' },
  keyTaken: {
    zh: '该标识已登记了不同内容的文件，请使用新的标识',
    en: 'Another file is registered under this key; give this one a key of its own',
  },
});
