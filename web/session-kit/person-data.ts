import { isLatchkeyError } from '../../lib/client/latchkey-error.ts'
import { client } from './client.ts'
import { saveFile } from './copy-button.tsx'

/** The lists of a file, each with the operation that reads it. */
type Lists = Readonly<Record<string, () => AsyncIterable<unknown>>>

/** Saves what the service knows about the signed-in person as a file of JSON. */
export const saveOwnData = async (): Promise<void> => {
  const user = await client.users.getCurrentUser()
  const { attributes } = await client.users.getOwnAttributes()
  const values = attributes.map(({ name, value }) => ({ name, value }))
  await savePersonData(
    user.username,
    { ...user, attributes: values },
    {
      sessions: () => client.sessions.iterateOwnSessions({ limit }),
      remembered_devices: () => client.sessions.iterateRememberedDevices(user.id, { limit }),
      passkeys: () => client.passkeys.iterateOwnPasskeys({ limit }),
      connected_accounts: () => client.users.iterateOwnCompanyAccounts({ limit }),
      apps: () => client.users.iterateOwnApps({ limit }),
      organizations: () => client.organizations.iterateOwnOrganizations({ limit }),
      organization_invitations: () => client.organizations.iterateOwnOrganizationInvitations({ limit }),
      api_tokens: () => client.apiTokens.iterateApiTokens({ limit }),
      access_links: () => client.accessLinks.iterateAccessTokens({ limit }),
    },
  )
}

/** Saves what the service knows about a user, for an administrator, with the audit events of the person. */
export const saveUserData = async (id: number): Promise<void> => {
  const user = await client.users.getUser(id)
  await savePersonData(user.username, user, {
    sessions: () => client.sessions.iterateUserSessions(id, { limit }),
    remembered_devices: () => client.sessions.iterateRememberedDevices(id, { limit }),
    passkeys: () => client.passkeys.iterateUserPasskeys(id, { limit }),
    connected_accounts: () => client.users.iterateUserCompanyAccounts(id, { limit }),
    apps: () => client.users.iterateUserApps(id, { limit }),
    organizations: () => client.organizations.iterateUserOrganizations(id, { limit }),
    api_tokens: () => client.apiTokens.iterateApiTokens({ user: id, limit }),
    access_links_created: () => client.accessLinks.iterateAccessTokens({ created_by: id, limit }),
    access_links_received: () => client.accessLinks.iterateAccessTokens({ user: id, limit }),
    audit_events: () => client.audit.iterateAuditEvents({ user: id, limit }),
  })
}

const limit = 500

/** A list that the session may not read is not in the file: who may not share content has no links. */
const savePersonData = async (username: string, user: object, lists: Lists): Promise<void> => {
  const read: Record<string, readonly unknown[]> = {}
  for (const [name, iterate] of Object.entries(lists)) {
    try {
      read[name] = await collect(iterate())
    } catch (error) {
      if (!isLatchkeyError(error, 'permission_denied')) throw error
    }
  }
  const data = { service: location.origin, exported_at: new Date().toISOString(), user, ...read }
  const content = new Blob([JSON.stringify(data, undefined, 2)], { type: 'application/json' })
  saveFile(`${username.replaceAll(/[^\w.-]+/g, '-')}.json`, content)
}

const collect = async (items: AsyncIterable<unknown>): Promise<readonly unknown[]> => {
  const all: unknown[] = []
  for await (const item of items) all.push(item)
  return all
}
