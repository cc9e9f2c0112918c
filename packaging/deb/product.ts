// What the two packages are.
export type ProgramName = 'site' | 'hq';
export type Architecture = 'amd64' | 'arm64';

/** Node's name of a Debian architecture. */
export const NODE_CPU: Record<Architecture, 'x64' | 'arm64'> = { amd64: 'x64', arm64: 'arm64' };

export interface Product {
  program: ProgramName;
  /** Name of package, command, user and unit. */
  name: `fieldline-${ProgramName}`;
  summary: string;
  description: readonly string[];
  depends: readonly string[];
  recommends: readonly string[];
  suggests: readonly string[];
  /** Modules that stay outside of the bundle, with those that hold the binary of an architecture. */
  modules: (cpu: 'x64' | 'arm64') => readonly string[];
}

/** What makes small pictures, in a process of its own (common/core/evidence/small). */
const pictures = (cpu: 'x64' | 'arm64'): string[] => [
  'sharp',
  '@img/colour',
  'detect-libc',
  'semver',
  `@img/sharp-linux-${cpu}`,
  `@img/sharp-libvips-linux-${cpu}`,
];

export const products: Record<ProgramName, Product> = {
  site: {
    program: 'site',
    name: 'fieldline-site',
    summary: 'edge daemon for camera events with a durable uplink',
    description: [
      'Stores the events that cameras post over the local network, applies response',
      'rules, serves consumers, returns each verdict to the camera that raised the',
      'alarm, and brings everything to headquarters over links that fail for weeks.',
      'It runs as it is installed; "fieldline-site setup" joins it to headquarters.',
    ],
    depends: ['libc6 (>= 2.28)', 'libstdc++6 (>= 6)', 'adduser', 'init-system-helpers (>= 1.54~)'],
    recommends: ['ca-certificates'],
    suggests: [],
    modules: (cpu) => ['better-sqlite3', ...pictures(cpu)],
  },
  hq: {
    program: 'hq',
    name: 'fieldline-hq',
    summary: 'headquarters hub for Fieldline sites, on PostgreSQL',
    description: [
      'Receives the events and verdicts of all sites, answers queries across them,',
      'offers the open interface with signed webhooks, pulls datasets from business',
      'systems, and holds knowledge, policies and rules. It uses the PostgreSQL of',
      'this machine through its socket, or another one by DATABASE_URL.',
    ],
    depends: ['libc6 (>= 2.28)', 'libstdc++6 (>= 6)', 'adduser', 'init-system-helpers (>= 1.54~)'],
    recommends: ['ca-certificates', 'postgresql (>= 15)'],
    suggests: ['tesseract-ocr', 'tesseract-ocr-chi-sim', 'poppler-utils'],
    modules: (cpu) => ['better-sqlite3', 'sqlite-vec', `sqlite-vec-linux-${cpu}`, ...pictures(cpu)],
  },
};

export interface Build {
  product: Product;
  architecture: Architecture;
  version: string;
  /** Seconds; every file bears this time. */
  epoch: number;
}
