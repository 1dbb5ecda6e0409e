/** The path of a request as an HTTP API of API Gateway uses it. */
export interface RequestPath {
  /** The path that routes are compared with, decoded once. Each character is one byte. */
  readonly routePath: string
  /** The `rawPath` of the event, decoded twice. */
  readonly rawPath: string
}

const malformedEscape = /%(?![0-9a-f]{2})/i

/** Decodes percent-encoded bytes. Returns undefined for a malformed escape. A plus sign stays as it is. */
const decodeBytes = (text: string): string | undefined =>
  malformedEscape.test(text)
    ? undefined
    : text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Bytes that are not UTF-8 become U+FFFD, because the event is JSON. */
const readUtf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')

/** Decodes a segment of the route path into the value of a path parameter. */
export const decodeParameter = (segment: string): string => readUtf8(decodeBytes(segment) ?? segment)

/**
 * Reads the path of a request target like API Gateway. The path is decoded, and a question mark that appears there ends
 * it. Routes are compared with the rest. Then the path and its parameters are decoded once more. This was recorded on AWS:
 * `hotsock/voker`, file `vokerhttp/testdata/ingress-paths.json`. Dot segments and repeated slashes are plain text, and bytes
 * that are not UTF-8 become U+FFFD. Both are assumed.
 *
 * @returns undefined if an escape is malformed, also after the first decoding. API Gateway answers that with a 400.
 */
export const readRequestPath = (target: string): RequestPath | undefined => {
  const [sentPath = ''] = target.split('?', 1)
  const routePath = decodeBytes(sentPath)?.split('?', 1)[0]
  const path = routePath === undefined ? undefined : decodeBytes(routePath)
  return routePath === undefined || path === undefined ? undefined : { routePath, rawPath: readUtf8(path) }
}
