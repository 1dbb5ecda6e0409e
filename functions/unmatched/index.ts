import { routes } from '../../lib/features/pages/routes.prebuilt.ts'
import { createUnmatchedHandler } from '../../lib/features/pages/unmatched.part.ts'
import { createServices } from '../../lib/services.ts'

const services = createServices(process.env)

// Most answers go to programs, so the page is loaded on demand.
export const handler = createUnmatchedHandler(services, routes, async (problem, event) => {
  const { unmatchedErrorPage } = await import('../../lib/features/pages/unmatched.page.ts')
  return unmatchedErrorPage(services)(problem, event)
})
