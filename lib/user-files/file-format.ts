export type FileFormat = 'json-lines' | 'csv'

const formats = new Map<string, FileFormat>(
  Object.entries({
    jsonl: 'json-lines',
    ndjson: 'json-lines',
    csv: 'csv',
  }),
)

/** The format of a file by the end of its name. Undefined for any other name. */
export const findFormat = (name: string): FileFormat | undefined =>
  formats.get(/.\.([a-z]+)$/.exec(name.toLowerCase())?.[1] ?? '')

/** Whether a file begins like UTF-16. Every line would be refused without a helpful reason. */
export const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
