import type { IncomingMessage } from 'node:http'

/*
 * The quotas of API Gateway and Lambda that cannot be raised. Local mode has them too, so that a request that works
 * there also works on AWS. Head, body and timeout are those of the API Gateway Developer Guide, "Quotas for configuring and
 * running an HTTP API". Event and result are those of Zac Charles, "Deep Dive: Lambda's Request Payload Size Limit" and
 * "Deep Dive: Lambda's Response Payload Size Limit", and of the test tool of `aws/aws-lambda-dotnet`.
 */

/** The request line and the headers together. Everything counts that the client sends before the body. */
export const maxHeadBytes = 10_240

/** The body of a request at the gateway. */
export const maxBodyBytes = 10 * 1024 * 1024

/** The event of a function as JSON. A base64 body has a third more bytes than the client sent. */
export const maxEventBytes = 6 * 1024 * 1024

/** The result of a function as JSON. The limit of Lambda is 100 bytes above that of an event. */
export const maxResultBytes = maxEventBytes + 100

/** How long the gateway waits for a function. */
export const integrationTimeoutMs = 30_000

/** The path of a request as an HTTP API of API Gateway uses it. */
interface RequestPath {
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

/** All values of a header in the order sent; `req.headers` drops duplicates of some headers. */
export const headerValues = (req: IncomingMessage, name: string): string[] =>
  req.rawHeaders.filter((_, i) => i % 2 === 1 && req.rawHeaders[i - 1]?.toLowerCase() === name)

/** Exactly one `Host` header is required, except in HTTP/1.0 (RFC 9112, section 3.2). */
export const hasValidHost = (req: IncomingMessage): boolean => {
  const hosts = headerValues(req, 'host').length
  return hosts === 1 || (hosts === 0 && req.httpVersion === '1.0')
}

/** Bytes of a line break, and of a colon with a space. */
const separatorBytes = 2

/**
 * Returns the bytes of the request line and the headers on the wire, with names, separators and line breaks. The quota
 * of API Gateway names only the request line and the values. Counting more is the safe reading.
 */
export const countHeadBytes = ({
  method = '',
  url = '',
  httpVersion,
  rawHeaders,
}: IncomingMessage): number => {
  const requestLine = `${method} ${url} HTTP/${httpVersion}`
  const fields = rawHeaders.reduce((bytes, text) => bytes + text.length + separatorBytes, 0)
  return requestLine.length + fields + 2 * separatorBytes
}
