import { type MessageOf, sentences } from '../../../common/message.ts';

/** Why a file gives no text. Each completes "The file could not be read: …". */
const unreadableMessages = {
  old_office: sentences(
    'it is an Office file of an old format or protected by a password; save it as .docx without one',
    '它是旧格式或设有密码的 Office 文件，请另存为不带密码的 .docx',
  ),
  unknown_format: sentences(
    'its format is none of Markdown, plain text, HTML, .docx, .pdf and pictures (PNG, JPEG, TIFF)',
    '格式不是 Markdown、纯文本、HTML、.docx、.pdf 或图片（PNG、JPEG、TIFF）',
  ),
  empty: sentences('it is empty', '文件是空的'),
  too_much_text: sentences('it holds more than {mb} MB of text', '文字超过 {mb} MB'),
  too_many_parts: sentences('it has more than {most} parts', '内部文件超过 {most} 个'),
  unpacks_larger: sentences('unpacked it is larger than {mb} MB', '解压后超过 {mb} MB'),
  unpacks_lying: sentences('it unpacks to more than it says', '解压后的大小与所写不符'),
  archive_damaged: sentences(
    'it is not a Word document: the archive is damaged',
    '不是 Word 文件：压缩包已损坏',
  ),
  not_word: sentences('it is not a Word document that can be read', '不是可读取的 Word 文件'),
  not_pdf: sentences(
    'it is not a PDF that can be read; it may be damaged or protected by a password',
    '不是可读取的 PDF，可能已损坏或设有密码',
  ),
  no_text: sentences('it is no text', '不是文本'),
  other_encoding: sentences('it is neither UTF-8 nor GB 18030 text', '不是 UTF-8 或 GB 18030 文本'),
  reader_broken: sentences('it broke the program that reads it', '读取它的程序被它弄坏了'),
  too_much_memory: sentences('reading it needs more than {mb} MB of memory', '读取它需要超过 {mb} MB 内存'),
  too_late: sentences('reading it took more than {seconds} s', '读取它超过了 {seconds} 秒'),
  pictures_alone: sentences(
    'it holds pictures, or fonts that do not tell their characters, and no text; {why}',
    '其中只有图片，或字体不说明所含的字，没有文字；{why}',
  ),
  original_lost: sentences(
    'its original is not in the store of the originals any more, or damaged; upload it again',
    '原件已不在原件库中，或已损坏；请重新上传',
  ),
  ended_readers: sentences(
    'reading it was begun {times} times, and ended each time what read it',
    '已开始读取 {times} 次，每次读取它的程序都中途结束',
  ),
  found_none: sentences('character recognition found none either', '文字识别也没有读到文字'),
};

/** Why pages were not read by character recognition. */
const recognitionMessages = {
  not_installed: sentences(
    [
      'character recognition would read them, and {tools} is not installed where files are read (Debian: ',
      'tesseract-ocr, tesseract-ocr-chi-sim, poppler-utils)',
    ],
    [
      '文字识别可以读取它们，但读取文件的机器上没有安装 {tools}（Debian：tesseract-ocr、tesseract-ocr-chi-sim、',
      'poppler-utils）',
    ],
  ),
  does_not_run: sentences('tesseract does not run: {why}', 'tesseract 无法运行：{why}'),
  no_chinese: sentences(
    'tesseract has no simplified Chinese (Debian: tesseract-ocr-chi-sim)',
    'tesseract 没有简体中文（Debian：tesseract-ocr-chi-sim）',
  ),
  out_of_time: sentences(
    'recognition of one file ends after {minutes} minutes',
    '一个文件的识别最多 {minutes} 分钟',
  ),
  page_failed: sentences('recognition of page {page} failed: {why}', '第 {page} 页识别失败：{why}'),
  most_pages: sentences('recognition reads {pages} pages of a file at most', '一个文件最多识别 {pages} 页'),
};

/** What a reviewer must know of what was read: what is in no clause, and what was not read from text. */
const noteMessages = {
  gaps: sentences(
    [
      'Numbers that are missing between those of the clauses: {numbers}. Compare with the original before ',
      'the file is put in force: what they say may be in other clauses, or in none.',
    ],
    ['条款之间缺少的编号：{numbers}。文件生效前请对照原件：其内容可能在其他条款中，也可能没有读到。'],
  ),
  recognized: sentences(
    [
      'Pages read by character recognition (tesseract), not from text: {pages}. Compare what it says, ',
      'numbers first, with the original; tables there may have lost their columns.',
    ],
    ['由文字识别（tesseract）而不是从文字读出的页：{pages}。请对照原件，先看数字；其中的表格可能丢失了列。'],
  ),
  silent: sentences(
    [
      'Pages without text that can be read, empty or pictures: {pages}. What stands on them is in no ',
      'clause.',
    ],
    ['没有可读文字的页（空白或图片）：{pages}。这些页的内容不在任何条款中。'],
  ),
  silent_since: sentences(
    [
      'Pages without text that can be read, empty or pictures: {pages}. What stands on them is in no ',
      'clause; {why}.',
    ],
    ['没有可读文字的页（空白或图片）：{pages}。这些页的内容不在任何条款中；{why}。'],
  ),
  torn: sentences(
    'Pages with a table whose rows or columns could not be kept: {pages}. Compare them with the original.',
    '有表格的行或列未能保留的页：{pages}。请对照原件。',
  ),
};

export const ingestMessages = { ...unreadableMessages, ...recognitionMessages, ...noteMessages };

export type UnreadableReason = MessageOf<typeof unreadableMessages>;
export type RecognitionObstacle = MessageOf<typeof recognitionMessages>;
export type ReadingNote = MessageOf<typeof noteMessages>;
