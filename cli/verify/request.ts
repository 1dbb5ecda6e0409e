import * as z from 'zod/mini'
import { Failed } from './check.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const defaultCallMs = 8000
const maxBytes = 8 * 1024 * 1024

/**
 * Sends one request, and follows no redirect, so that credentials never reach another server.
 *
 * @throws Failed if the answer takes too long, or is too large
 */
export const request = async (
  url: string,
  init: RequestInit,
  signal: AbortSignal,
  callMs = defaultCallMs,
): Promise<Answer> => {
  const late = AbortSignal.timeout(callMs)
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    })
    return { status: response.status, headers: response.headers, text: await readText(response) }
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error
    throw new Failed(`There was no complete answer within ${callMs / 1000} seconds.`)
  }
}

/** Counts what was decompressed, so that a small answer cannot fill the memory. */
const readText = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Failed(`The answer is larger than ${maxBytes / 1024 ** 2} MB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

export interface RequestOptions {
  readonly signal: AbortSignal
  /** Sent as JSON. */
  readonly body?: unknown
  readonly bearer?: string | undefined
}

export type Send = (method: string, path: string, options: RequestOptions) => Promise<Answer>

/** Creates the client of one service. An answer that takes longer than `callMs` is a failure. */
export const createSend =
  (origin: string, callMs = defaultCallMs): Send =>
  (method, path, { signal, body, bearer }) => {
    const headers = {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    return request(origin + path, { method, headers, ...content }, signal, callMs)
  }

/** Every response of the service has this header. Those of API Gateway, CloudFront and other proxies have none. */
export const isFromService = ({ headers }: Answer): boolean => headers.has('x-request-id')

const Problem = z.object({ code: z.string(), reason: z.optional(z.string()), detail: z.optional(z.string()) })

/** The error of a response, in one or two sentences. */
export const describeAnswer = (answer: Answer): string => {
  const problem = z.safeParse(Problem, parseJson(answer.text))
  const from = isFromService(answer) ? '' : ' that is not from Latchkey'
  if (!problem.success) return `The answer was ${answer.status}${describeKind(answer)}${from}.`
  const { code, reason, detail = '' } = problem.data
  return `The answer was ${answer.status} (${reason ?? code})${from}. ${detail}`.trim()
}

const describeKind = ({ status, headers }: Answer): string => {
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== null)
    return `, a redirect to ${URL.parse(location)?.origin ?? 'another path'},`
  return headers.get('content-type')?.startsWith('text/html') ? ' with a web page' : ''
}

/** Reads the JSON body of a successful response. @throws Failed */
export const readBody = <Schema extends z.ZodMiniType>(answer: Answer, schema: Schema): z.output<Schema> => {
  if (answer.status < 200 || answer.status > 299) throw new Failed(describeAnswer(answer))
  const body = z.safeParse(schema, parseJson(answer.text))
  if (body.success) return body.data
  throw new Failed(`${describeAnswer(answer)} It does not have the expected content.`)
}

/** Undefined for a text that is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
