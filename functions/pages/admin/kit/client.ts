import { createClient, type LatchkeyClient } from '../../../../lib/client/create-client.ts'
import { pageData } from '../../kit/page-data.ts'
import { reportSessionEnd } from './session-end.ts'

/** The typed client of the console. It notices when the session of the browser has ended. */
export const client: LatchkeyClient = createClient({
  baseUrl: location.origin,
  headers: { 'Accept-Language': pageData.language },
  // Pages are only served where the browser reaches the service.
  allowsHttp: true,
  fetch: async (url, init) => {
    const response = await fetch(url, init)
    if (response.status === 401) reportSessionEnd()
    return response
  },
})
