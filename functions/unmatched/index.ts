import { createUnmatchedHandler } from '../../lib/http/unmatched.ts'
import { routes } from './routes.prebuilt.ts'

// Most answers go to programs, so the page is loaded on demand.
export const handler = createUnmatchedHandler(routes, (services) => async (problem, event) => {
  const { unmatchedErrorPage } = await import('./error-page.ts')
  return unmatchedErrorPage(services)(problem, event)
})
