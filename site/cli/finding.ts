export interface Finding {
  name: string;
  level: 'good' | 'look' | 'bad';
  /** What was found, and for anything that is not good what to do. */
  text: string;
}

export const good = (name: string, text: string): Finding => ({ name, level: 'good', text });
export const look = (name: string, text: string): Finding => ({ name, level: 'look', text });
export const bad = (name: string, text: string): Finding => ({ name, level: 'bad', text });
