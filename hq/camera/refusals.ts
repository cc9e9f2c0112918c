import { type AppError, conflict } from '../../common/http/error.ts';
import { MOST_NAMES } from './port.ts';

export const tooManyNames = (): AppError =>
  conflict('too_many_camera_names', `There are ${MOST_NAMES} names of cameras at this site already.`);
