import { mapInBatches } from '../../lib/kernel/util/work.ts'

export interface PlannedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Which requests a scenario sends. */
export type Plan =
  /** The same requests in turn. */
  | { readonly kind: 'repeat'; readonly requests: readonly PlannedRequest[] }
  /** Each request once, because the service accepts it once. The load ends with the last one. */
  | { readonly kind: 'once'; readonly requests: readonly PlannedRequest[] }
  /** Two requests that count as one: the second has the text of a field of the first response in place of `{{value}}`. */
  | {
      readonly kind: 'exchange'
      readonly first: PlannedRequest
      readonly field: string
      readonly second: PlannedRequest
    }

/** Stands for the value in the second request of an exchange. */
export const valuePlaceholder = '{{value}}'

export interface Load {
  readonly url: string
  readonly plan: Plan
  readonly seconds: number
  readonly inFlight: number
  /** The status that counts as success. */
  readonly expectedStatus: number
}

export interface LoadResult {
  readonly seconds: number
  readonly completed: number
  /** Responses with another status, and broken connections. */
  readonly failed: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly firstFailure: string | undefined
}

export const jsonRequest = (
  method: string,
  path: string,
  {
    body,
    headers = {},
  }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): PlannedRequest => ({
  method,
  path,
  headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})

/** Creates requests that can be sent once, a few at a time. */
export const createOnce = (
  count: number,
  create: (at: number) => Promise<PlannedRequest>,
): Promise<PlannedRequest[]> =>
  mapInBatches(
    Array.from({ length: count }, (_, at) => at),
    16,
    create,
  )

/** A form as a browser posts it. */
export const formRequest = (
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): PlannedRequest => ({
  method: 'POST',
  path,
  headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})
