import type { Services } from '../../services.ts'
import type { RequestContext } from '../common/request-context.ts'

/** What an import works with. */
export interface Importer {
  readonly services: Services
  /** For the audit events. */
  readonly context: RequestContext
  /** Repeats a call that DynamoDB throttles. A command can wait longer than a request. */
  readonly retry: <T>(call: () => Promise<T>) => Promise<T>
}
