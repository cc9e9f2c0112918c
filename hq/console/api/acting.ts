// Whether anything may be changed from here: not while what is shown is what this browser has kept.
let allowed = true;

export const letAct = (may: boolean): void => {
  allowed = may;
};

/** What of the session itself goes out all the same: to log in, and to log out. */
const OF_THE_SESSION = '/api/core/session/';

export const mayAsk = ({ method, url }: Request): boolean =>
  allowed || method === 'GET' || new URL(url).pathname.startsWith(OF_THE_SESSION);
