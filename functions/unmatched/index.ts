import { operations } from '../../lib/contract/operations.ts'
import { createUnmatchedHandler } from '../../lib/http/unmatched.ts'
import { unmatchedErrorPage } from './error-page.ts'

export const handler = createUnmatchedHandler(operations, unmatchedErrorPage)
