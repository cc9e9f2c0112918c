// How the JSON of a webhook is read.

/** Where its members stand, by dotted paths. */
export interface WebhookFields {
  /** Where the list of events stands, when one body has several. */
  list?: string | undefined;
  type?: string | undefined;
  id?: string | undefined;
  time?: string | undefined;
  /** Serial number of whoever saw it, where several report by one sender. */
  device?: string | undefined;
  camera?: string | undefined;
  /** What raised it on the camera, where it has several rules. */
  rule?: string | undefined;
  /** What it was raised for. */
  object?: string | undefined;
  cameraName?: string | undefined;
  severity?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  /** A picture in base64. */
  picture?: string | undefined;
  /** Addresses of pictures: a text or a list of them. `*` in the path stands for any member. */
  pictureUrl?: string | undefined;
  state?: string | undefined;
}
