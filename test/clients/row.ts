import type { TestCertificate } from '../support/certificates.ts'
import type { JsonValue } from '../support/client.ts'
import type { MetadataServer } from '../support/metadata-server.ts'
import type { SignedInPerson } from '../support/people.ts'
import type { TestService } from '../support/service.ts'

/** What the calls of the matrix share. */
export interface World {
  readonly service: TestService
  readonly admin: SignedInPerson
  /** A certificate for both sides of SAML. */
  readonly certificate: TestCertificate
  readonly metadata: MetadataServer
}

/** One call of a client. All names are those on the wire. */
export interface Call {
  /** Who calls; without a credential if left out. */
  readonly bearer?: string
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>>
  /** What was prepared for the call, for the values and checks of its parameters. */
  readonly context?: JsonValue
}

export interface Answered {
  readonly world: World
  readonly call: Call
  /** The JSON body of the response; `undefined` if it has none. */
  readonly body: JsonValue
}

export type Arrange = (world: World) => Call | Promise<Call>
/** Prepares a call only once. For methods that change nothing. */
export const once = (arrange: Arrange): Arrange => {
  let call: ReturnType<Arrange> | undefined
  return (world) => {
    call ??= arrange(world)
    return call
  }
}

export type Check = (answered: Answered) => void | Promise<void>

/** One optional parameter of a method: what clients send and what the service does with it. */
export interface Trial {
  /** A function computes the value from the prepared call. */
  readonly value: unknown
  /** The value as the Python client writes it, if it differs: a time without zone, for example. */
  readonly python?: unknown
  /** Other parameters that have to be sent along. */
  readonly along?: Readonly<Record<string, unknown>>
  /** The only client that has the parameter. Both have it by default. */
  readonly only?: 'npm' | 'python'
  /** Prepares the call instead of the row. */
  readonly arrange?: Arrange
  /** Left out of the call with all parameters at once, because it excludes others. */
  readonly alone?: true
  /** Checks the effect, in addition to the status and the model. */
  readonly expect?: Check
}

/** The calls of one operation by both clients. */
export interface Row {
  /** `AuthApi.createAPIToken`; left out if the npm client has no such method. */
  readonly npm?: string
  /** `AuthApi.create_api_token`; left out if the Python client has no such method. */
  readonly python?: string
  /** The parameters that every call sends: of the path, and required or usual fields. The default is none. */
  readonly required?: readonly string[]
  /** The model of the response; `null` for an empty body, `ignored` for a body that no client reads. */
  readonly returns: string | null
  /** Fields that Latchkey adds to this response. The compatibility page lists them. */
  readonly added?: readonly string[]
  /** The expected status. The default is 200, and 204 without a body. */
  readonly status?: number
  /** Prepares a call with the required parameters. Each trial prepares its own. */
  readonly arrange: Arrange
  /** Checks the effect of the call with the required parameters alone. */
  readonly expect?: Check
  /** The optional parameters: query parameters, or fields of the body, with one or more values each. */
  readonly optional?: Readonly<Record<string, Trial | readonly Trial[]>>
}
