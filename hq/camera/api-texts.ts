// What the API says of names of cameras: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const cameraFields: FieldTexts = {
  'CameraNameInput.instance': ['The site that the camera is at', 'tunnel-7'],
  'CameraNameInput.camera_ref': ['The camera, as its events name it', 'gate-3'],
  'CameraNameInput.name': ['What people call it; null: as its events name it', 'North gate'],
};

/** What the codes of errors mean. */
export const cameraErrors: ErrorTexts = {
  too_many_camera_names: '该站点的摄像机名称数量已达上限。',
};
