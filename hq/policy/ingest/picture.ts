// Pictures that character recognition reads, by their first bytes.

const BEGINNINGS = ['89504e470d0a1a0a', 'ffd8ff', '49492a00', '4d4d002a'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

/** PNG, JPEG or TIFF. */
export const isPicture = (bytes: Buffer): boolean =>
  BEGINNINGS.some((beginning) => bytes.subarray(0, beginning.length).equals(beginning));
