/** Whether `Accept-Encoding` names the encoding without refusing it (RFC 9110, 12.5.3). */
export const takesEncoding = (acceptEncoding: string, encoding: string): boolean =>
  acceptEncoding.split(',').some((one) => {
    const [name = '', ...more] = one.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !more.some((part) => /^q=0(?:\.0*)?$/.test(part));
  });
