import { createClient } from '@latchkey/client'
import type { Credentials } from './settings.ts'

interface Registration {
  readonly latchkeyUrl: string
  readonly adminPassword: string
  /** The origin of the product. */
  readonly origin: string
}

/** Registers the product with its API at Latchkey as the administrator: once for each installation. */
export const registerProduct = async (registration: Registration): Promise<Credentials> => {
  const { latchkeyUrl, adminPassword, origin } = registration
  const admin = createClient({ baseUrl: latchkeyUrl })
  await admin.signIn({ username: 'admin', password: adminPassword })
  const films = { en: 'Change films', de: 'Filme ändern' }
  await admin.oidcClients.createProtectedApi({
    name: 'Media library',
    audience: origin,
    permissions: [{ name: 'films:edit', texts: films }],
    scopes: [{ name: 'films.edit', texts: films, permissions: ['films:edit'] }],
  })
  const { client_id: clientId, client_secret: clientSecret } = await admin.oidcClients.createOidcClient({
    name: 'Media library',
    type: 'confidential',
    redirect_uris: [`${origin}/callback`],
    post_logout_redirect_uris: [`${origin}/`],
    backchannel_logout_uri: `${origin}/backchannel-logout`,
    scopes: ['openid', 'profile', 'permissions'],
    apis: [{ audience: origin, scopes: ['films.edit'] }],
    permissions: ['films:edit'],
  })
  if (!clientSecret) throw new Error('Latchkey returned no client secret.')
  // An account of its own, so that links keep working when an administrator leaves.
  const username = 'media-library'
  const password = `${crypto.randomUUID()}A1!`
  const { id } = await admin.users.createUser({
    username,
    full_name: 'Media library',
    permissions: ['media:access'],
    groups: [],
  })
  await admin.passwords.setUserPassword(id, { password })
  await admin.signOut()
  const account = createClient({ baseUrl: latchkeyUrl })
  await account.signIn({ username, password })
  const { token } = await account.apiTokens.createApiToken({
    name: 'media library',
    scopes: ['media:access'],
  })
  await account.signOut()
  if (!token) throw new Error('Latchkey returned no API token.')
  return { clientId, clientSecret, apiToken: token }
}
