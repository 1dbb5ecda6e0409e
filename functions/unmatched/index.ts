import { operations } from '../../lib/contract/operations.ts'
import { unmatchedHandler } from '../../lib/http/unmatched.ts'

export const handler = unmatchedHandler(operations)
