import { type RequestOptions, request } from 'node:http'
import type { Client, JsonValue } from './client.ts'

export interface AddressedAnswer {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: JsonValue
  readonly durationMs: number
}

/** Posts JSON from a loopback address. All of 127.0.0.0/8 is loopback (RFC 1122 3.2.1.3). */
export const postFrom = (localAddress: string, url: string, body: unknown): Promise<AddressedAnswer> => {
  const content = JSON.stringify(body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }
  return send(url, { method: 'POST', localAddress, headers }, content)
}

/** Gets a URL from a loopback address. */
export const getFrom = (localAddress: string, url: string): Promise<AddressedAnswer> =>
  send(url, { method: 'GET', localAddress }, '')

const send = async (url: string, options: RequestOptions, content: string): Promise<AddressedAnswer> => {
  const { text, ...answer } = await sendText(url, options, content)
  return { ...answer, body: text === '' ? undefined : JSON.parse(text) }
}

const sendText = (
  url: string,
  options: RequestOptions,
  content: string | Uint8Array,
): Promise<Omit<AddressedAnswer, 'body'> & { readonly text: string }> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const sent = request(url, { ...options, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          durationMs: performance.now() - startedAt,
        }),
      )
    })
    sent.on('error', reject)
    sent.end(content)
  })

/** Creates an HTTP client like `clientOf`, whose requests come from a loopback address. */
export const clientFrom =
  (localAddress: string, url: string): Client =>
  async (method, path, { body, raw, bearer, headers = {} } = {}) => {
    const content = raw ?? (body === undefined ? '' : JSON.stringify(body))
    const allHeaders = {
      'content-length': String(Buffer.byteLength(content)),
      ...(content === '' ? {} : { 'content-type': 'application/json' }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...headers,
    }
    const { text, ...answer } = await sendText(
      url + path,
      { method, localAddress, headers: allHeaders },
      content,
    )
    const received = new Headers()
    for (const [name, value = []] of Object.entries(answer.headers))
      for (const line of [value].flat()) received.append(name, line)
    const isJson = /\bjson\b/.test(received.get('content-type') ?? '')
    return {
      status: answer.status,
      headers: received,
      cookies: received.getSetCookie(),
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
  }

/** Returns a different loopback address for each number up to four million. */
export const loopback = (number: number): string =>
  `127.${1 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`

/** Names and values of headers in turn. A name may occur several times. */
export type RawHeaders = readonly string[]

/** Sends a request with exactly these headers from a loopback address. The body is JSON. */
export const sendRaw = (
  localAddress: string,
  url: string,
  { method = 'GET', headers, body = '' }: { method?: string; headers: RawHeaders; body?: string },
): Promise<AddressedAnswer> => {
  const own = ['host', new URL(url).host, 'content-length', String(Buffer.byteLength(body))]
  const type = body === '' ? [] : ['content-type', 'application/json']
  return send(url, { method, localAddress, headers: [...own, ...type, ...headers] }, body)
}
