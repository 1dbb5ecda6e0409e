import { serve } from '@hono/node-server'
import { startLocalService } from 'latchkey'
import { createConfig } from '../latchkey.config.ts'
import { createApp } from './app.ts'
import { createMemoryStore } from './session-store.ts'

/*
 * Runs the product and Latchkey on this machine: `npm start`. All data is in memory, so each start begins anew.
 */

const port = Number(process.env['PORT'] ?? 4000)
const latchkeyPort = Number(process.env['LATCHKEY_PORT'] ?? 3000)
const origin = `http://127.0.0.1:${port}`
const adminPassword = 'violin harbor mustard tent'

const { url: latchkeyUrl, outputs } = await startLocalService({
  adminPassword,
  port: latchkeyPort,
  config: createConfig(origin),
  settings: { ALLOWED_ORIGINS: origin, LINK_URL: `Media library=${origin}/shared` },
})
const client = outputs.clients?.['media-library']
const credentials = {
  clientId: client?.client_id ?? '',
  clientSecret: client?.client_secret ?? '',
  apiToken: outputs.service_accounts?.['media-library-links']?.token ?? '',
}
const app = createApp({ origin, latchkeyUrl, credentials }, createMemoryStore())
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => {
  console.log(`Users     ada ("ada likes silent films") and bob ("bob likes silent films")`)
  console.log(`Latchkey  ${latchkeyUrl} (admin, "${adminPassword}")`)
  console.log(`ready ${origin}`)
})
