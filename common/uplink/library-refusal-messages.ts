import { type MessageOf, sentences } from '../message.ts';

/** Why a site does not take the policies in force as headquarters gives them. */
export const libraryRefusalMessages = {
  library_large: sentences(
    'the library has {files} files and {clauses} clauses, which is more than a site keeps',
    '制度库有 {files} 份文件、{clauses} 个条款，超出站点可保存的数量',
  ),
  library_text: sentences(
    'the clauses of file {file} are not those that its digest is of',
    '第 {file} 号文件的条款与其摘要不符',
  ),
  library_differs: sentences(
    'all files were fetched, and their digest is another one than that of headquarters',
    '全部文件已取回，但摘要与总部不一致',
  ),
  library_strange: sentences(
    'headquarters answered with something that is no library',
    '总部的回答不是制度库数据',
  ),
};

export type LibraryRefusal = MessageOf<typeof libraryRefusalMessages>;
