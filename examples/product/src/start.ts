import { serve } from '@hono/node-server'
import { createClient } from '@latchkey/client'
import { startLocalService } from 'latchkey'
import { createApp } from './app.ts'
import { registerProduct } from './register.ts'
import { createMemoryStore } from './session-store.ts'

/*
 * Runs the product and Latchkey on this machine: `npm start`. All data is in memory, so each start begins anew.
 */

const port = Number(process.env['PORT'] ?? 4000)
const latchkeyPort = Number(process.env['LATCHKEY_PORT'] ?? 3000)
const origin = `http://127.0.0.1:${port}`
const adminPassword = 'violin harbor mustard tent'

const service = await startLocalService({
  adminPassword,
  port: latchkeyPort,
  settings: { ALLOWED_ORIGINS: origin, LINK_URL: `Media library=${origin}/shared` },
})
const latchkeyUrl = service.url

/** Two users to try: only Ada may add films. */
const addUsers = async (): Promise<void> => {
  const admin = createClient({ baseUrl: latchkeyUrl })
  await admin.signIn({ username: 'admin', password: adminPassword })
  for (const [username, permissions] of [
    ['ada', ['films:edit']],
    ['bob', []],
  ] as const) {
    const { id } = await admin.users.createUser({ username, permissions, groups: [] })
    await admin.passwords.setUserPassword(id, { password: `${username} likes silent films` })
  }
  await admin.signOut()
}

const credentials = await registerProduct({ latchkeyUrl, adminPassword, origin })
await addUsers()
const app = createApp({ origin, latchkeyUrl, credentials }, createMemoryStore())
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => {
  console.log(`Users     ada ("ada likes silent films") and bob ("bob likes silent films")`)
  console.log(`Latchkey  ${latchkeyUrl} (admin, "${adminPassword}")`)
  console.log(`ready ${origin}`)
})
