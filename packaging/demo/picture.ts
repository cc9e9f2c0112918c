// Pictures of what the simulated cameras see: drawn, so that nobody's photograph is carried along.
import { createHash } from 'node:crypto';
import sharp from 'sharp';

/** A picture as it is announced with an event and sent afterwards. */
export interface Picture {
  name: string;
  contentType: string;
  sha256: string;
  bytes: Buffer;
}

const [WIDTH, HEIGHT] = [640, 360];
/** Where the ground begins. */
const GROUND = 270;
/** Pictures of one type of event; what differs is the light and where the thing is. */
const VARIANTS = 3;

interface Light {
  sky: [string, string];
  ground: string;
  shape: string;
}

const LIGHTS: readonly Light[] = [
  { sky: ['#a9c9e8', '#e9f1f7'], ground: '#a89a83', shape: '#5d6670' },
  { sky: ['#c98f5f', '#f3d9b1'], ground: '#8b7960', shape: '#4c4a4d' },
  { sky: ['#1b2433', '#3a4a63'], ground: '#39372f', shape: '#12161d' },
];
const TUNNEL: Light = { sky: ['#2a2a2c', '#55524c'], ground: '#3b3833', shape: '#1f1e1d' };

/** Drawn around the middle of its feet, 0/0; about 120 wide and 110 high. */
const THINGS: Readonly<Record<string, string>> = {
  'ppe.no_helmet': person('#3d2b1f', '#e08a2c'),
  'person.intrusion': person('#f2c200', '#2f6fb3'),
  'person.fall': '<g transform="rotate(90) translate(-14,50)">' + person('#f2c200', '#e0672c') + '</g>',
  'vehicle.intrusion':
    '<path d="M-62-22h72v-52h-72z" fill="#c9a227"/><path d="M14-22v-40h28l20 24v16z" fill="#b2442c"/>' +
    '<circle cx="-38" cy="-14" r="14"/><circle cx="-8" cy="-14" r="14"/><circle cx="40" cy="-14" r="14"/>',
  'fire.smoke':
    '<path d="M-40 0h80l-14-24h-52z" fill="#7a5a38"/><g fill="#d8d8d8" opacity=".8">' +
    '<circle cx="-8" cy="-44" r="22"/><circle cx="16" cy="-68" r="26"/>' +
    '<circle cx="-10" cy="-90" r="20"/></g>' +
    '<path d="M-10-20q10-34 20 0z" fill="#e4582b"/>',
  'fire.night_light': '<path d="M-3 0v-90h6v90z"/><circle cy="-96" r="14" fill="#fff3b0"/>',
  'tunnel.gas_high':
    '<path d="M-34 0v-62h68v62z" fill="#4d6b57"/><circle cy="-38" r="16" fill="#d9e3dc"/>' +
    '<path d="M0-38l9-9" stroke="#c22" stroke-width="4"/><circle cx="22" cy="-72" r="9" fill="#f33"/>',
  'edge.guardrail_missing':
    '<g stroke="#e3b505" stroke-width="6"><path d="M-62 0v-50M-30 0v-50M-62-46h32M-62-24h32"/>' +
    '<path d="M34 0v-50M62 0v-50M34-46h28M34-24h28"/></g>',
  'crane.overload':
    '<path d="M0-112v50" stroke="#222" stroke-width="3"/><path d="M-46-22l46-42 46 42z" fill="none" ' +
    'stroke="#222" stroke-width="3"/><path d="M-50-22h100v16h-100z" fill="#9a4a2a"/>',
  'material.blocked_exit':
    '<g fill="#8d5a3b"><path d="M-60-18h120v8h-120zM-56-32h116v8h-116zM-60-46h110v8h-110z"/></g>',
};

function person(head: string, coat: string): string {
  return (
    `<circle cy="-92" r="13" fill="${head}"/><path d="M-16-76h32l6 40h-44z" fill="${coat}"/>` +
    '<path d="M-14-36h12V0h-12zM2-36h12V0H2z" fill="#2b3a4a"/>'
  );
}

const drawn = new Map<string, Promise<Picture>>();

/** The picture of one event, the same for the same numbers. @param frame counts the events of a camera */
export function pictureOf(type: string, frame: number): Promise<Picture> {
  const variant = frame % VARIANTS;
  const key = `${type} ${variant}`;
  let picture = drawn.get(key);
  if (!picture) drawn.set(key, (picture = draw(type, variant)));
  return picture;
}

async function draw(type: string, variant: number): Promise<Picture> {
  const bytes = await sharp(Buffer.from(svgOf(type, variant)))
    .jpeg({ quality: 78 })
    .toBuffer();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name: 'frame.jpg', contentType: 'image/jpeg', sha256, bytes };
}

function svgOf(type: string, variant: number): string {
  const inTunnel = type.startsWith('tunnel.');
  const light = inTunnel ? TUNNEL : (LIGHTS[variant % LIGHTS.length] as Light);
  const x = 200 + 130 * variant;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">` +
    '<defs><linearGradient id="sky" x2="0" y2="1">' +
    `<stop stop-color="${light.sky[0]}"/><stop offset="1" stop-color="${light.sky[1]}"/>` +
    `</linearGradient></defs><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky)"/>` +
    (inTunnel ? tunnel(light) : buildings(light)) +
    `<g transform="translate(${x},${GROUND + 50})">${THINGS[type] ?? ''}` +
    '<rect x="-72" y="-118" width="144" height="126" fill="none" stroke="#ff3b30" stroke-width="3"/>' +
    '</g></svg>'
  );
}

/** A building that rises, and the crane beside it. */
function buildings({ ground, shape }: Light): string {
  const floors = [0, 1, 2, 3, 4].map((floor) => `M40 ${GROUND - 30 - floor * 36}h150`).join('');
  const columns = [0, 1, 2, 3, 4].map((column) => `M${46 + column * 34} ${GROUND}V90`).join('');
  return (
    `<rect y="${GROUND}" width="${WIDTH}" height="${HEIGHT - GROUND}" fill="${ground}"/>` +
    `<g stroke="${shape}" fill="none"><path stroke-width="8" d="${floors}"/>` +
    `<path stroke-width="6" d="${columns}"/>` +
    `<path stroke-width="7" d="M540 ${GROUND}V40M330 58H610"/>` +
    '<path stroke-width="2" d="M540 30L330 58M540 30L610 58M372 58v60"/></g>'
  );
}

function tunnel({ ground, shape }: Light): string {
  return (
    `<path d="M0 0h${WIDTH}v${HEIGHT}H0z" fill="${shape}"/>` +
    `<path d="M90 ${HEIGHT}V190a230 170 0 0 1 460 0v170z" fill="#6b665c"/>` +
    `<path d="M170 ${HEIGHT}V220a150 120 0 0 1 300 0v140z" fill="#45413b"/>` +
    `<path d="M0 ${HEIGHT}h${WIDTH}L470 ${GROUND}H170z" fill="${ground}"/>` +
    '<g fill="#ffe9a8"><circle cx="320" cy="40" r="7"/><circle cx="320" cy="112" r="5"/></g>'
  );
}
