import { sentences } from '../message.ts';

/** What is wrong with a member that came over the uplink, as a part of a sentence. */
export const faultMessages = {
  fault_missing: sentences('{path} is missing', '缺少 {path}'),
  fault_type: sentences('{path} is of the wrong type', '{path} 的类型不对'),
  fault_value: sentences('{path} has a value that is not known', '{path} 的取值无法识别'),
  fault_small: sentences('{path} is too short or too small', '{path} 过短或过小'),
  fault_large: sentences('{path} is too long or too large', '{path} 过长或过大'),
  fault_form: sentences('{path} does not have the required form', '{path} 的格式不符合要求'),
};
