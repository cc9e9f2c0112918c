import { sentences } from '../../message.ts';

/** What is wrong with a member of what was sent. Each is read after the path of the member. */
export const inputFaultMessages = {
  required: sentences('is required', '必填'),
  exactly: sentences('must be {value}', '必须是 {value}'),
  one_of: sentences('must be one of {values}', '必须是下列之一：{values}'),
  multiple_of: sentences('must be a multiple of {divisor}', '必须是 {divisor} 的倍数'),
  member_name: sentences('has a member whose name is not allowed', '中有不允许的成员名'),
  wrong_form: sentences('does not have the required form', '的格式不符合要求'),
  number_too_large: sentences('is too large a number', '的数值过大'),
  wrong_type: sentences('must be {expected}', '必须是{expected}'),
  wrong_type_of: sentences('must be {expected}, not {kind}', '必须是{expected}，而不是{kind}'),
  more_than: sentences('must be more than {least}', '必须大于 {least}'),
  at_least: sentences('must be at least {least}', '不能小于 {least}'),
  less_than: sentences('must be less than {most}', '必须小于 {most}'),
  at_most: sentences('must be at most {most}', '不能大于 {most}'),
  empty: sentences('must not be empty', '不能为空'),
  few_characters: sentences(
    'must have at least {least} characters; it has {size}',
    '至少 {least} 个字符，现有 {size} 个',
  ),
  few_entries: sentences(
    'must have at least {least} entries; it has {size}',
    '至少 {least} 项，现有 {size} 项',
  ),
  many_characters: sentences(
    'must have at most {most} characters; it has {size}',
    '最多 {most} 个字符，现有 {size} 个',
  ),
  many_entries: sentences(
    'must have at most {most} entries; it has {size}',
    '最多 {most} 项，现有 {size} 项',
  ),
  unknown_members: sentences('has members that are not known here: {names}', '中有此处不认识的成员：{names}'),
  unknown_member: sentences('is not known here; check the spelling', '此处不认识，请检查拼写'),
  either: sentences('{one}, or {other}', '{one}，或者{other}'),
  type_text: sentences('text', '文本'),
  type_number: sentences('a number', '数字'),
  type_whole_number: sentences('a whole number', '整数'),
  type_boolean: sentences('true or false', 'true 或 false（是或否）'),
  type_list: sentences('a list', '列表'),
  type_object: sentences('an object', '对象'),
  type_null: sentences('null', '空值 null'),
  type_nan: sentences('not a number', '非数字'),
  type_other: sentences('{name}', '类型 {name}'),
  more_faults: sentences('and {count} more', '还有 {count} 处'),
  given_twice: sentences('is given more than once', '重复给出'),
  unicode: sentences('must be well-formed Unicode without NUL', '必须是不含 NUL 的规范 Unicode 文本'),
  unicode_name: sentences(
    'has a member name that is not well-formed Unicode without NUL',
    '中有成员名不是不含 NUL 的规范 Unicode 文本',
  ),
  too_deep: sentences('must not be nested more than {levels} levels deep', '嵌套不能超过 {levels} 层'),
  too_many_bytes: sentences(
    'must be at most {most} bytes as JSON; it is {size}',
    '以 JSON 计最多 {most} 字节，现为 {size} 字节',
  ),
  blank: sentences('must not be blank', '不能为空白'),
  name_characters: sentences('must be letters, digits, ".", "_" and "-"', '只能含字母、数字和“.”“_”“-”'),
  name_characters_64: sentences(
    'must be letters, digits, ".", "_" and "-", at most 64',
    '只能含字母、数字和“.”“_”“-”，最多 64 个',
  ),
  user_characters: sentences(
    'must be letters, digits, ".", "_", "@" and "-"',
    '只能含字母、数字和“.”“_”“@”“-”',
  ),
  lower_name: sentences(
    'must be lower-case letters, digits and _, beginning with a letter',
    '只能含小写字母、数字和“_”，并以字母开头',
  ),
  lower_characters: sentences('must be lower-case letters, digits and _', '只能含小写字母、数字和“_”'),
  name_ends: sentences(
    'must not begin or end with a blank or hold control characters',
    '首尾不能有空格，也不能含控制字符',
  ),
  name_reserved: sentences('is taken by the program itself', '是程序自用的名称'),
  hexadecimal_64: sentences('must be 64 lower-case hexadecimal digits', '必须是 64 位小写十六进制数'),
  one_line: sentences('must be one line without control characters', '必须是一行，不含控制字符'),
  one_ascii_line: sentences('must be one line of visible ASCII', '必须是一行可见的 ASCII 字符'),
  plain_file_name: sentences(
    'must be a plain file name of letters, digits, ".", "_" and "-"',
    '必须是只含字母、数字和“.”“_”“-”的文件名',
  ),
  media_type: sentences('must be a media type such as {example}', '必须是媒体类型，例如 {example}'),
  web_address: sentences(
    'must be an http:// or https:// address without user name or password',
    '必须是 http:// 或 https:// 地址，不含用户名和密码',
  ),
  host_wanted: sentences(
    'must be a host, with its port where the address names one; :80 for an http:// address without one',
    '必须是主机名；地址中有端口的须带端口，http:// 地址未写端口的写 :80',
  ),
  zoned_time: sentences(
    'must be an RFC 3339 time with a zone, such as 2026-03-01T08:00:00+08:00',
    '必须是带时区的 RFC 3339 时间，例如 2026-03-01T08:00:00+08:00',
  ),
  zoned_time_plus: sentences(
    'must be an RFC 3339 time with a zone, such as 2026-03-01T08:00:00+08:00; in a query + is written %2B',
    '必须是带时区的 RFC 3339 时间，例如 2026-03-01T08:00:00+08:00；在查询参数中 + 要写作 %2B',
  ),
  beijing_time: sentences(
    'must be an RFC 3339 time; without a zone it is Beijing time',
    '必须是 RFC 3339 时间；不带时区的按北京时间',
  ),
  later_than_since: sentences('must be later than since', '必须晚于 since'),
  after_since: sentences('must be after since', '必须晚于 since'),
  window_too_long: sentences(
    'must be at most 93 days after since; shorten the window',
    '距 since 最多 93 天，请缩短时段',
  ),
  time_ahead: sentences('must not be more than 5 minutes later than now', '不能比现在晚 5 分钟以上'),
  cursor_unknown: sentences(
    'is not a cursor of this list; leave it out to start from the beginning',
    '不是本列表的游标；不填则从头开始',
  ),
  event_type: sentences(
    'must be a dotted code of lower-case letters, digits and _, such as vehicle.intrusion',
    '必须是用点分隔的代码，只含小写字母、数字和“_”，例如 vehicle.intrusion',
  ),
  event_type_pattern: sentences(
    'must be an event type, or a beginning of one with a trailing *, such as vehicle.*',
    '必须是事件类型，或以 * 结尾的类型开头，例如 vehicle.*',
  ),
  comma_list: sentences(
    'must be {what} ({values}) separated by commas',
    '必须是用逗号分隔的{what}（{values}）',
  ),
  what_severities: sentences('severities', '级别'),
  what_states: sentences('states', '状态'),
  what_types: sentences('types', '类型'),
  what_kinds: sentences('knowledge kinds', '知识种类'),
  change_nothing: sentences('must change something', '至少要改一项'),
  retry_key: sentences(
    'must have 1 to 255 printable ASCII characters, and no blank',
    '须为 1 至 255 个可打印 ASCII 字符，不含空格',
  ),
};
