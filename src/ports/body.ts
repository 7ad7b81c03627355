// How the body of an HTTP message becomes text; what platforms answer and what they deliver is read alike.

/** The headers that say how a body is to be read. */
export interface BodyForm {
  /** `Content-Encoding`: how the body is packed. */
  readonly encoding: string | undefined;
  /** `Content-Type`: its charset. Default: UTF-8. */
  readonly type: string | undefined;
  /** The limit for the unpacked body. */
  readonly bytesMax: number;
}

export interface ReadBody {
  /** Without `flaw` it is the whole body. A body that is not valid in its charset has U+FFFD for what is not. */
  readonly text: string;
  readonly flaw?: BodyFlaw;
}

export interface BodyFlaw {
  readonly kind: 'unknownEncoding' | 'tooLarge' | 'brokenOff' | 'notText';
  /** A clause: `the body is packed as "zstd", which is not known here`. */
  readonly says: string;
}

/** Never rejects. */
export type BodyReader = (bytes: Buffer, form: BodyForm) => Promise<ReadBody>;
