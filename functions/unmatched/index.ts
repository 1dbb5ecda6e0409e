import { operations } from '../../lib/contract/operations.ts'
import { createUnmatchedHandler } from '../../lib/http/unmatched.ts'

// Most answers go to programs, so the page is loaded on demand.
export const handler = createUnmatchedHandler(operations, (services) => async (problem, event) => {
  const { unmatchedErrorPage } = await import('./error-page.ts')
  return unmatchedErrorPage(services)(problem, event)
})
