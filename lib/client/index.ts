import { createClient } from './create-client.ts'
import { isLatchkeyError, LatchkeyError } from './latchkey-error.ts'

// The entry of the package `@latchkey/client`.
export type { LatchkeyClient, SessionMethods } from './create-client.ts'
export type { ErrorCode, OperationErrors, ReasonsByCode } from './generated/errors.ts'
export type * from './generated/models.ts'
export type * from './generated/operations.ts'
export type { ClientErrorCode, InvalidField, LatchkeyErrorCode, ReasonOf } from './latchkey-error.ts'
export type { CallOptions, ClientOptions, Fetch, Page, ProductCallOptions } from './options.ts'
export { createClient, isLatchkeyError, LatchkeyError }
