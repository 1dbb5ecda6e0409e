import { createClient, type LatchkeyClient } from '../../../lib/client/create-client.ts'
import { pageData } from './page-data.ts'

/** The typed client of this service. The browser sends the session cookie. */
export const client: LatchkeyClient = createClient({
  baseUrl: location.origin,
  headers: { 'Accept-Language': pageData.language },
  // Pages are only served where the browser reaches the service.
  allowsHttp: true,
})
