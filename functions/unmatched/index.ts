import { operations } from '../../lib/contract/operations.ts'
import { createUnmatchedHandler } from '../../lib/http/unmatched.ts'

export const handler = createUnmatchedHandler(operations)
