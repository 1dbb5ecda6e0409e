/*
 * The parts of the frameworks that the middleware uses. Their packages are not imported, so that a product has only the
 * one that it uses.
 */

export interface HonoContext {
  readonly req: { readonly method: string; header(name: string): string | undefined }
  set(name: 'user', value: unknown): void
}

export interface ExpressRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Every value of repeated headers. */
  readonly headersDistinct?: Readonly<Record<string, readonly string[] | undefined>>
}
export interface ExpressResponse {
  locals: Record<string, unknown>
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

/** An event of an HTTP API (payload 2.0), a REST API or a function URL. */
export interface LambdaEvent {
  readonly headers?: Readonly<Record<string, string | undefined>> | null
  /** Where REST APIs have every value of repeated headers. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null
  /** Where payload 2.0 has the cookies. */
  readonly cookies?: readonly string[]
  readonly httpMethod?: string
  readonly requestContext?: unknown
}
export interface LambdaResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
