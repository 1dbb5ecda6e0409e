import { expect, it } from 'vitest'
import { readAuditItems } from '../support/audit-items.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useWatchedService } from '../support/watched-table.ts'

/* A pipeline sends all settings each day. Only what changes is written, and the event says what that is. */

const service = await useWatchedService()
const call = callAs(service, await addSignedIn(service, { permissions: ['system:admin-access'] }))
const listTargets = async (event: string) =>
  (await readAuditItems(service.services.table)).flatMap((item) =>
    item['event'] === event ? [String(item['target'])] : [],
  )
const countWrites = async (send: () => Promise<unknown>): Promise<number> => {
  let writes = 0
  service.watch(({ action }) => {
    if (action === 'TransactWriteItems' || action === 'PutItem') writes += 1
    return undefined
  })
  await send()
  service.restore()
  return writes
}

const role = { key: 'editor', texts: { en: 'Editor' }, permissions: ['films:edit'] }
const rule = { group_regex: '[0-9]', group_name: 'digit', min_count: 1 }
const attribute = { name: 'team', type: 'text', labels: [{ language: 'en', label: 'Team' }] }
const settings: readonly (readonly [string, string, object, object, string])[] = [
  [
    'system/password-policy',
    'password_policy',
    { min_length: 8, no_pwned: true, rules: [rule] },
    { min_length: 12 },
    'rules min_length',
  ],
  ['system/sign-in-policy', 'sign_in_policy', { allow_email_codes: true }, {}, 'allow_email_codes'],
  [
    'system/sign-up-policy',
    'sign_up_policy',
    { mode: 'domains', domains: ['a.example'] },
    { mode: 'off' },
    'mode domains',
  ],
  ['system/agent-policy', 'agent_policy', { hosts: ['agents.example'] }, { hosts: [] }, 'hosts'],
  ['organization-policy', 'organization_policy', { creations_max: 5 }, {}, 'creations_max'],
  ['organization-roles', 'organization_roles', { roles: [role] }, { roles: [] }, 'editor'],
  ['system/user-attributes', 'user_attributes', { attributes: [attribute] }, { attributes: [] }, 'team'],
]

it.each(settings)(
  '%s say what changed, and write nothing for equal values',
  async (path, name, first, last, fields) => {
    const event = `${name}.changed`
    const put = async (body: object) => {
      const answer = await call('PUT', path, body)
      expect(answer.status, answer.text).toBe(200)
      return answer.body
    }
    // What holds without any setting is equal to the defaults.
    const defaults = (await call('GET', path)).body
    expect(await countWrites(() => put(defaults))).toBe(0)
    const stored = await put(first)
    expect((await listTargets(event)).map((target) => target.split(' ').toSorted())).toEqual([
      fields.split(' ').toSorted(),
    ])
    for (const same of [first, stored]) expect(await countWrites(() => put(same))).toBe(0)
    expect(await listTargets(event)).toHaveLength(1)
    await put(last)
    expect(await listTargets(event)).toHaveLength(2)
  },
)
