import { randomUUID } from 'node:crypto'
import { endServices, startService } from '../support/local-service.ts'

/** A user of local mode. */
export interface LocalUser {
  readonly id: number
  readonly username: string
  readonly password: string
}

export interface RegisteredClient {
  readonly id: number
  readonly client_id: string
  readonly client_secret: string | null
}

/** Latchkey as `npm start` runs it, and what an administrator does there over HTTP. */
export interface LocalLatchkey {
  readonly url: string
  readonly registerClient: (fields: Readonly<Record<string, unknown>>) => Promise<RegisteredClient>
  /** Lets agents of these hosts describe themselves. */
  /** Allows documents of a host, and redirect URIs on another one. */
  readonly allowAgents: (host: string, ...callbackHosts: readonly string[]) => Promise<unknown>
  readonly registerApi: (fields: Readonly<Record<string, unknown>>) => Promise<unknown>
  readonly addUser: (permissions?: readonly string[]) => Promise<LocalUser>
  /** Creates an organization with a user as its owner. */
  readonly addOrganization: (slug: string, owner: Pick<LocalUser, 'id'>) => Promise<{ readonly id: number }>
  readonly endSessions: (user: LocalUser) => Promise<void>
  readonly close: () => Promise<void>
}

/** The password of `admin`. */
export const adminPassword = 'The administrator of the relying parties 1'

/** Starts Latchkey in local mode with an empty table. */
export const startLatchkey = async (
  settings: Readonly<Record<string, string>> = {},
): Promise<LocalLatchkey> => {
  const { url } = await startService({ DATA_DIR: ':memory:', ADMIN_PASSWORD: adminPassword, ...settings })
  const call = async (method: string, path: string, body?: unknown, bearer?: string) => {
    const response = await fetch(`${url}/api/2${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} failed: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const login = { username: 'admin', password: adminPassword }
  const { session_key: bearer } = await call('POST', '/auth/login', login)
  return {
    url,
    registerClient: (fields) => call('POST', '/oidc-clients', fields, bearer),
    allowAgents: (host, ...callbackHosts) => {
      const pairs = callbackHosts.map((callbackHost) => ({ host, callback_host: callbackHost }))
      return call('PUT', '/system/agent-policy', { hosts: [host], callback_hosts: pairs }, bearer)
    },
    registerApi: (fields) => call('POST', '/protected-apis', fields, bearer),
    addUser: async (permissions = []) => {
      const username = `user-${randomUUID()}`
      const password = `Password of ${randomUUID()}`
      const email = `${username}@example.com`
      const fields = { username, email, full_name: 'Ada Lovelace', permissions, groups: [] }
      const { id } = await call('POST', '/users', fields, bearer)
      await call('POST', `/users/${id}/password`, { password, password_change_required: false }, bearer)
      return { id, username, password }
    },
    addOrganization: async (slug, { id: user }) => {
      const organization = await call('POST', '/organizations', { name: `${slug} Ltd`, slug }, bearer)
      await call('POST', `/organizations/${organization.id}/members`, { user, roles: ['owner'] }, bearer)
      return organization
    },
    endSessions: async ({ id }) => call('DELETE', `/users/${id}/sessions`, undefined, bearer),
    close: endServices,
  }
}
