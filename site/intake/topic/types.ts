import type { TypeTable } from '../message/text.ts';

/**
 * What topics of ONVIF and of Axis mean, without the prefixes of their namespaces, in small letters. A topic
 * that is not here is looked for without its last member, which may be the name of a profile or a scenario.
 */
export const topics: TypeTable = {
  'videosource/motionalarm': { type: 'motion.detected' },
  'videosource/motiondetection': { type: 'motion.detected' },
  'videoanalytics/motionalarm': { type: 'motion.detected' },
  'videoanalytics/motiondetection': { type: 'motion.detected' },
  'videoanalytics/line/crossed': { type: 'line.crossing' },
  'videoanalytics/field/entered': { type: 'region.entrance' },
  'videoanalytics/field/exited': { type: 'region.exit' },
  'ruleengine/cellmotiondetector/motion': { type: 'motion.detected' },
  'ruleengine/motionregiondetector/motion': { type: 'motion.detected' },
  'ruleengine/fielddetector/objectsinside': { type: 'region.intrusion' },
  'ruleengine/linedetector/crossed': { type: 'line.crossing' },
  'ruleengine/loiteringdetector/objectisloitering': { type: 'region.loitering' },
  'ruleengine/loiteringdetector/loitering': { type: 'region.loitering' },
  'ruleengine/countaggregation/counter': { type: 'people.count', kind: 'observation' },
  'ruleengine/objectdetection/object': { type: 'object.detected' },
  'ruleengine/recognition/licenseplate': { type: 'vehicle.plate' },
  'ruleengine/recognition/face': { type: 'face.detected' },
  'ruleengine/tamperdetector/tamper': { type: 'camera.tampered' },
  // Words of makers beside the standard: Reolink, Tapo, and cameras of XiongMai.
  'ruleengine/myruledetector/peopledetect': { type: 'object.person' },
  'ruleengine/myruledetector/vehicledetect': { type: 'object.vehicle' },
  'ruleengine/myruledetector/dogcatdetect': { type: 'object.animal' },
  'ruleengine/myruledetector/facedetect': { type: 'face.detected' },
  'ruleengine/myruledetector/visitor': { type: 'doorbell.pressed' },
  'ruleengine/peopledetector/people': { type: 'object.person' },
  'ruleengine/tpsmarteventdetector/tpsmartevent': { type: 'object.detected' },
  'ruleengine/linecrossdetector/linecross': { type: 'line.crossing' },
  'ruleengine/intrusiondetector/intrusion': { type: 'region.intrusion' },
  // The same of Tapo, where the firmware puts all of them under the detector of motion.
  'ruleengine/cellmotiondetector/people': { type: 'object.person' },
  'ruleengine/cellmotiondetector/tpsmartevent': { type: 'object.detected' },
  'ruleengine/cellmotiondetector/linecross': { type: 'line.crossing' },
  'ruleengine/cellmotiondetector/intrusion': { type: 'region.intrusion' },
  'ruleengine/cellmotiondetector/tamper': { type: 'camera.tampered' },
  'useralarm/iva/humanshapedetect': { type: 'object.person' },
  'useralarm/videocover': { type: 'camera.tampered' },
  // Bosch and Hanwha; a rule of Bosch has its name as the last member.
  'iva/enteringfield': { type: 'region.entrance' },
  'iva/leavingfield': { type: 'region.exit' },
  'iva/objectinfield': { type: 'region.intrusion' },
  'iva/crossingline': { type: 'line.crossing' },
  'iva/linecrossing': { type: 'line.crossing' },
  'iva/loitering': { type: 'region.loitering' },
  'iva/loiteringdetection': { type: 'region.loitering' },
  'iva/objectdetection': { type: 'object.detected' },
  'iva/audiodetection': { type: 'audio.exception' },
  'iva/fire': { type: 'fire.detected' },
  'iva/smoke': { type: 'smoke.detected' },
  'device/trigger/callrequest': { type: 'doorbell.pressed' },
  'videosource/radiometryalarm': { type: 'temperature.alarm' },
  'ruleengine/radiometry/temperaturealarm': { type: 'temperature.alarm' },
  'audioanalytics/audio/audioalarm': { type: 'audio.exception' },
  'videosource/tampering': { type: 'camera.tampered' },
  'videosource/globalscenechange': { type: 'camera.scene_changed' },
  'videosource/signalloss': { type: 'camera.video_loss' },
  'videosource/videoloss': { type: 'camera.video_loss' },
  'videosource/imagetooblurry': { type: 'camera.defocused' },
  'videosource/imagetoodark': { type: 'camera.video_bad' },
  'videosource/imagetoobright': { type: 'camera.video_bad' },
  'audiosource/triggerlevel': { type: 'audio.exception' },
  'audiosource/audiodetection': { type: 'audio.exception' },
  'audioanalytics/audio/detectedsound': { type: 'audio.exception' },
  'device/trigger/digitalinput': { type: 'input.triggered' },
  'device/trigger/relay': { type: 'output.switched', kind: 'observation' },
  'device/hardwarefailure/fanfailure': { type: 'device.hardware_failed' },
  'device/hardwarefailure/powersupplyfailure': { type: 'device.hardware_failed' },
  'device/hardwarefailure/temperaturecritical': { type: 'device.hardware_failed' },
  'device/hardwarefailure/storagefailure': { type: 'device.disk_error' },
  // Of Axis, by ONVIF and by MQTT.
  'device/sensor/pir': { type: 'motion.detected' },
  'ruleengine/vmd3': { type: 'motion.detected' },
  'cameraapplicationplatform/vmd': { type: 'motion.detected' },
  'cameraapplicationplatform/objectanalytics': { type: 'object.detected' },
  'cameraapplicationplatform/fenceguard': { type: 'region.intrusion' },
  'cameraapplicationplatform/loiteringguard': { type: 'region.loitering' },
  'cameraapplicationplatform/motionguard': { type: 'motion.detected' },
  'videosource/abr': { type: 'camera.bitrate_limited', kind: 'observation' },
  'videosource/daynightvision': { type: 'camera.day_night', kind: 'observation' },
  'device/io/port': { type: 'input.triggered' },
  'device/io/supervisedport': { type: 'input.triggered' },
  'device/io/virtualport': { type: 'input.triggered' },
  'device/io/virtualinput': { type: 'input.triggered' },
  'device/casing/open': { type: 'device.opened' },
  'device/status/temperature/above': { type: 'temperature.alarm' },
  'device/status/temperature/below': { type: 'temperature.alarm' },
  'device/status/temperature/above_or_below': { type: 'temperature.alarm' },
  'device/shockdetected': { type: 'camera.tampered' },
  'device/network/lost': { type: 'device.network_lost' },
  'storage/disruption': { type: 'device.disk_error' },
  'storage/alert': { type: 'device.disk_error' },
  'recording/recordingfailure': { type: 'device.recording_failed' },
};

/**
 * Topics that tell of how the device works and never of an alarm: lamps, schedules, logs, addresses, what is
 * recorded and who watches.
 */
export const STATUS = new RegExp(
  '^(?:device/(?:status(?!/temperature/(?:above|below))|heartbeat|operationmode|light|logs|' +
    'network/address(?:added|removed))|lightcontrol|monitoring|configuration|media|mediacontrol|' +
    'ptzcontroller|recordinghistory|recordingconfig|storage/recording|useralarm/recurring|' +
    'videosource/livestreamaccessed)(?:/|$)',
);

/** Names of the member of the data that says whether a condition holds, by preference. */
export const STATE_MEMBERS = [
  'active',
  'state',
  'logicalstate',
  'triggered',
  'tampering',
  'alarm',
  'alert',
  'motion',
  'ismotion',
  'isinside',
  'istamper',
  'open',
  'failed',
  'lost',
  'disruption',
  'sensor_value',
  'sensor_level',
];
