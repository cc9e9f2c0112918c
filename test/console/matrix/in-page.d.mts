export function lookOver(options: { zh: boolean }): string[];
