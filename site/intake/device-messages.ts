import { sentences } from '../../common/message.ts';

/** Alarms about devices that cannot sign. */
export const deviceMessages = {
  device_clock_ahead: sentences(
    [
      'The clock of {name} is {seconds} seconds ahead, or its time zone is wrong: the time of receipt is ',
      'taken for its events. Set the clock and the zone in the camera, and give it an NTP server.',
    ],
    '摄像机 {name} 的时钟快 {seconds} 秒，或时区设置有误：其事件按接收时间记录。请在摄像机中校正时间和时区，并设置 NTP 服务器。',
  ),
  device_clock_behind: sentences(
    [
      'The clock of {name} is {seconds} seconds behind, or its time zone is wrong: the time of receipt is ',
      'taken for its events. Set the clock and the zone in the camera, and give it an NTP server.',
    ],
    '摄像机 {name} 的时钟慢 {seconds} 秒，或时区设置有误：其事件按接收时间记录。请在摄像机中校正时间和时区，并设置 NTP 服务器。',
  ),
};
