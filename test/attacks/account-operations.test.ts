import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { changesState } from '../../lib/kernel/contract/operation.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Every operation that changes an account by its ID, sent by callers who lack a right of that account. An operation that
 * forgets the rule would be a way to take the account over.
 */

/** A valid body for each operation. */
const bodies: Readonly<Record<string, object | undefined>> = {
  update_user: { username: 'renamed', permissions: [], groups: [] },
  patch_user: { email: 'mallory@example.com' },
  delete_user: undefined,
  end_user_session: undefined,
  end_user_sessions: undefined,
  hand_over_access_tokens: { to: 1 },
  end_user_holdings: { password: true, passkeys: true },
  end_remembered_device: undefined,
  end_user_app: undefined,
  set_user_password: { password: 'a password of the attacker' },
  send_password_reset: undefined,
  invite_user: undefined,
  revoke_invitation: undefined,
  delete_user_passkey: undefined,
  link_user_company_account: { provider: 1, name: 'mallory' },
  unlink_user_company_account: undefined,
  merge_user: { user: 1 },
  send_email_confirmation: undefined,
  disable_totp: undefined,
  enable_totp: { key: 'GEZDGNBVGY3TQOJQ', otp: '123456' },
  sync_totp: { otp: '123456' },
  renew_recovery_codes: undefined,
}
/** Only for the own account and by session. Other accounts do not exist for them. */
const onOwnAccount = ['enable_totp', 'sync_totp', 'renew_recovery_codes']

const changes = operations.filter(
  (operation) => operation.path.startsWith('/api/2/users/{id}') && changesState(operation),
)

const service = await useService({}, { sendsMail: false })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const post = async (path: string, body: object) =>
  (await service.client('POST', `/api/2/${path}`, { bearer: admin.bearer, body })).body
const bearers: Record<string, string> = {}
bearers['a user manager'] = (await addSignedIn(service, { permissions: ['users:manage'] })).bearer
bearers['an API token of an administrator'] = (await post('api-tokens', { name: 'stolen' })).token
const scopes = ['users:manage', 'users:view']
bearers['an API token with scopes'] = (await post('api-tokens', { name: 'narrow', scopes })).token
const email = (name: string) => ({ email: `${name}@example.com` })
const accounts: Record<string, Person> = {}
accounts['an administrator'] = await addPerson(service, {
  permissions: ['system:admin-access'],
  ...email('admin'),
})
accounts['an administrator by group'] = await addPerson(service, email('by-group'))
const members = [{ id: accounts['an administrator by group'].user.id }]
await post('groups', { name: 'admins', permissions: ['system:admin-access'], members })

describe('the operations on accounts', () => {
  it('are all in this table', () => {
    expect(Object.keys(bodies).sort()).toEqual(changes.map(({ id }) => id).sort())
  })

  it.each(changes)('$id does not reach accounts with more rights', async ({ id, method, path }) => {
    for (const [caller, bearer] of Object.entries(bearers))
      for (const [account, { user }] of Object.entries(accounts)) {
        const at = path.replace('{id}', String(user.id)).replace(/\{\w+\}/, '1')
        const body = bodies[id]
        const { status } = await service.client(method, at, { bearer, body })
        const isHidden = onOwnAccount.includes(id) && caller === 'a user manager'
        expect(status, `${caller}, ${account}`).toBe(isHidden ? 404 : 403)
      }
  })

  it('do not show where accounts with more rights are signed in', async () => {
    for (const [caller, bearer] of Object.entries(bearers))
      for (const [account, { user }] of Object.entries(accounts)) {
        const { status } = await service.client('GET', `/api/2/users/${user.id}/sessions`, { bearer })
        expect(status, `${caller}, ${account}`).toBe(403)
      }
  })
})
