import { faultsOf } from '../../http/fault/room.ts';
import { sentences } from '../../message.ts';

/** What is wrong with a question to the library. Each is read after its path. */
export const searchFaultMessages = {
  must_be_given: sentences('must be given', '必填'),
  vector_zero: sentences('must not be all zero', '不能全为零'),
  vector_numbers: sentences('must be 32-bit floating-point numbers', '必须是 32 位浮点数'),
};

export const { fault, saying } = faultsOf(searchFaultMessages);
