import { createClient, type LatchkeyClient } from '../../lib/client/create-client.ts'
import { pageData } from '../kit/page-data.ts'
import { reportSignedOut } from './prompts.ts'

/** The typed client of this service. The browser sends the session cookie, and the page notices when the session has ended. */
export const client: LatchkeyClient = createClient({
  baseUrl: location.origin,
  headers: { 'Accept-Language': pageData.language },
  // Pages are only served where the browser reaches the service.
  allowsHttp: true,
  fetch: async (url, init) => {
    const response = await fetch(url, init)
    if (response.status === 401) reportSignedOut()
    return response
  },
})
