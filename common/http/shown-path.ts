/** What follows is the secret of a device that can show no other (site intake). */
const SECRET_PATH = '/in/';

/** A path as it may stand in logs and answers: without a secret that is a part of it. */
export const shownPath = (path: string): string =>
  path.toLowerCase().replace(/\/+/g, '/').startsWith(SECRET_PATH) ? `${SECRET_PATH}…` : path;
