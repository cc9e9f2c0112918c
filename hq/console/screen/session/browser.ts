/** In the order in which they are looked for: each also says that it is those behind it. */
const BROWSERS = [
  [/\bMicroMessenger\/(\d+)/, 'WeChat'],
  [/\bEdg(?:A|iOS)?\/(\d+)/, 'Edge'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\b(?:Headless)?Chrome\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+).*\bSafari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** `Chrome 156 · Linux`; what is none of the known ones as it calls itself. */
export function browserOf(userAgent: string | null): string {
  if (userAgent === null) return '–';
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  for (const [pattern, name] of BROWSERS) {
    const found = pattern.exec(userAgent);
    if (found) return [`${name} ${found[1]}`, system].filter(Boolean).join(' · ');
  }
  return userAgent.slice(0, 40);
}
