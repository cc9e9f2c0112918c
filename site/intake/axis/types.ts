import type { TypeTable } from '../message/text.ts';

/**
 * What Axis' topics mean, without the prefixes of their namespaces, in small letters. A topic that is not
 * here is looked for without its last member, which may be the name of a profile or a scenario.
 */
export const axisTopics: TypeTable = {
  'device/sensor/pir': { type: 'motion.detected' },
  'videosource/motionalarm': { type: 'motion.detected' },
  'videoanalytics/motiondetection': { type: 'motion.detected' },
  'ruleengine/cellmotiondetector/motion': { type: 'motion.detected' },
  'cameraapplicationplatform/vmd': { type: 'motion.detected' },
  'cameraapplicationplatform/objectanalytics': { type: 'object.detected' },
  'cameraapplicationplatform/fenceguard': { type: 'region.intrusion' },
  'cameraapplicationplatform/loiteringguard': { type: 'region.loitering' },
  'cameraapplicationplatform/motionguard': { type: 'motion.detected' },
  'ruleengine/fielddetector/objectsinside': { type: 'region.intrusion' },
  'ruleengine/linedetector/crossed': { type: 'line.crossing' },
  'ruleengine/tamperdetector/tamper': { type: 'camera.tampered' },
  'videosource/tampering': { type: 'camera.tampered' },
  'videosource/globalscenechange': { type: 'camera.scene_changed' },
  'videosource/abr': { type: 'camera.bitrate_limited', kind: 'observation' },
  'videosource/daynightvision': { type: 'camera.day_night', kind: 'observation' },
  'audiosource/triggerlevel': { type: 'audio.exception' },
  'audiosource/audiodetection': { type: 'audio.exception' },
  'device/io/port': { type: 'input.triggered' },
  'device/io/supervisedport': { type: 'input.triggered' },
  'device/io/virtualport': { type: 'input.triggered' },
  'device/io/virtualinput': { type: 'input.triggered' },
  'device/trigger/digitalinput': { type: 'input.triggered' },
  'device/casing/open': { type: 'device.opened' },
  'device/shockdetected': { type: 'camera.tampered' },
  'device/hardwarefailure/fanfailure': { type: 'device.hardware_failed' },
  'device/hardwarefailure/powersupplyfailure': { type: 'device.hardware_failed' },
  'device/hardwarefailure/storagefailure': { type: 'device.disk_error' },
  'device/network/lost': { type: 'device.network_lost' },
  'storage/disruption': { type: 'device.disk_error' },
  'storage/alert': { type: 'device.disk_error' },
  'recording/recordingfailure': { type: 'device.recording_failed' },
};

/** Topics that tell of how the device works and never of an alarm: kept as observations, not as alarms. */
export const STATUS = /^(?:device\/status|device\/heartbeat|ptzcontroller|videosource\/livestreamaccessed)\b/;

/** Names of the member of `data` that says whether a condition holds, by preference. */
export const STATE_MEMBERS = [
  'active',
  'state',
  'logicalstate',
  'triggered',
  'tampering',
  'alarm',
  'ismotion',
  'isinside',
  'open',
  'failed',
  'lost',
  'disruption',
  'sensor_value',
];
