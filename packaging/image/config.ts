// What the image says of itself, in the form of the OCI image specification.

/** User and group that the hub runs as; nobody else in the image has the number. */
export const USER = 10_001;
export const NAME = 'fieldline-hq';
const LIB = `/usr/lib/${NAME}`;
export const STATE = `/var/lib/${NAME}`;
/** Where the local socket of the command line lies. */
export const RUN = `/run/${NAME}`;

export interface ImageOptions {
  architecture: string;
  version: string;
  /** RFC 3339. */
  created: string;
  /** sha256 of each layer as it is before it is compressed, lowest first. */
  layers: readonly string[];
}

/**
 * The program is started as what it is, without the shell of its command: a first process hears of SIGTERM
 * only when it asks to.
 */
export function imageConfig({ architecture, version, created, layers }: ImageOptions): object {
  return {
    architecture,
    os: 'linux',
    created,
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: { '8090/tcp': {} },
      Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
      Entrypoint: [
        `${LIB}/node`,
        `--env-file=${LIB}/defaults.env`,
        `--env-file-if-exists=/etc/${NAME}/hq.env`,
        `${LIB}/main.mjs`,
      ],
      Cmd: ['run'],
      Volumes: { [STATE]: {} },
      WorkingDir: STATE,
      StopSignal: 'SIGTERM',
      Labels: {
        'org.opencontainers.image.title': NAME,
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.description': 'Headquarters hub for Fieldline sites, on PostgreSQL',
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map((digest) => `sha256:${digest}`) },
    history: layers.map(() => ({ created, created_by: 'npm run image' })),
  };
}
