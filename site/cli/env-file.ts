/**
 * Changes settings in the text of an environment file. Every other line stays as it is, comments included; a
 * setting that is given more than once is changed where it counts, in its last place. null takes a setting
 * out by making a comment of it. Pure.
 */
export function withSettings(text: string, settings: Readonly<Record<string, string | null>>): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  for (const [name, value] of Object.entries(settings)) {
    const at = lines.findLastIndex((line) => new RegExp(`^\\s*${name}=`).test(line));
    if (value === null) {
      if (at >= 0) lines[at] = `#${lines[at]}`;
    } else if (at >= 0) lines[at] = `${name}=${value}`;
    else lines.push(`${name}=${value}`);
  }
  return `${lines.join('\n')}\n`;
}

/** The settings of such a text; of one that is given more than once the last. */
export function settingsOf(text: string): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [, name, value] = /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) settings[name] = (value ?? '').trim().replace(/^(["'])(.*)\1$/, '$2');
  }
  return settings;
}
