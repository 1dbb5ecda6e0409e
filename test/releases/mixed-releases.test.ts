import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareBundles } from '../infra/shared-bundles.ts'
import { type Account, continueAlone, runJourney, signInAsAdmin } from './mixed-journey.ts'
import { type MixedService, type RunningRelease, startMixedService } from './mixed-service.ts'
import { buildChanged, buildCommit, findLastRelease, type Release } from './release.ts'
import { renameAttribute, userRecordFile } from './renamed-attribute.ts'

/*
 * While a stack is updated, and after a rollback, functions of two releases work on one table. This runs the last release
 * with the working tree, and the working tree with two releases after it that change the stored form of users.
 */

const last = findLastRelease()
const present = 'the working tree'
const reader = 'a release that reads the new form'
const writer = 'a release that writes the new form'

let service: MixedService
const running = new Map<string, RunningRelease>()
const find = (name: string): RunningRelease => {
  const release = running.get(name)
  if (!release) throw new Error(`${name} does not run`)
  return release
}

const buildAfter = (name: string, writes: 'earlier' | 'later'): Promise<Release> => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-release-'))
  return buildChanged(name, folder, { [userRecordFile]: renameAttribute(writes) })
}

beforeAll(async () => {
  process.stdout.write(`Last release: ${last ? `${last.tag}, commit ${last.commit}` : 'none yet'}\n`)
  const { folder } = await shareBundles()
  service = await startMixedService()
  const releases = [
    { name: present, folder },
    await buildAfter(reader, 'earlier'),
    await buildAfter(writer, 'later'),
    ...(last ? [await buildCommit(last)] : []),
  ]
  for (const release of releases) running.set(release.name, service.run(release))
  // The packages of the last release may have to be installed.
}, 600_000)
afterAll(() => service?.close())

const pairs: readonly (readonly [earlier: string, later: string])[] = [
  ...(last ? [[last.tag, present] as const] : []),
  [present, reader],
  [reader, writer],
]

describe.each(pairs)('%s and %s', (earlier, later) => {
  const accounts: Account[] = []

  it.each([
    [earlier, later],
    [later, earlier],
  ])('work on the same users, sessions and credentials: %s writes first', async (first, second) => {
    accounts.push(await runJourney(find(first), find(second)))
  })

  it('allow a rollback', async () => {
    const made = [...accounts, await runJourney(find(later), find(later))]
    expect(made).toHaveLength(3)
    for (const account of made) await continueAlone(find(earlier), account)
  })
})

describe('a change of the stored form', () => {
  const storedForms = async (release: RunningRelease) => {
    const { id } = await runJourney(release, release)
    return service.readStoredUser(id)
  }

  it('is written by the second release only', async () => {
    for (const name of [present, reader]) {
      const stored = await storedForms(find(name))
      expect(stored).toHaveProperty('full_name')
      expect(stored).not.toHaveProperty('displayName')
    }
    const stored = await storedForms(find(writer))
    expect(stored).toHaveProperty('displayName')
    expect(stored).not.toHaveProperty('full_name')
    expect(stored).toHaveProperty('schemaVersion')
  })

  it('keeps the version of a user when the other release edits them', async () => {
    for (const [first, second, attribute] of [
      [reader, writer, 'full_name'],
      [writer, reader, 'displayName'],
    ] as const) {
      const { id, fullName } = await runJourney(find(first), find(second))
      const stored = await service.readStoredUser(id)
      expect(stored).toHaveProperty(attribute, fullName)
      expect(Object.keys(stored ?? {}).filter((name) => /^(full_name|displayName)$/.test(name))).toHaveLength(
        1,
      )
    }
  })

  it('hides users from a release two before, whose lists still answer, and damages nothing', async () => {
    const account = await runJourney(find(writer), find(writer))
    const before = await service.readStoredUser(account.id)
    const { client } = find(present)
    const bearer = await signInAsAdmin(find(present))
    const { username, password, id } = account
    const credentials = { username, password }
    const statuses = [
      await client('POST', '/api/2/auth/login', { body: credentials }),
      await client('GET', '/api/2/users/me', { bearer: account.bearer }),
      await client('GET', `/api/2/users/${id}`, { bearer }),
      await client('PATCH', `/api/2/users/${id}`, { bearer, body: { full_name: 'Lost' } }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([500, 500, 500, 500])
    expect(
      await find(present)
        .authorizes(account.bearer)
        .catch(() => false),
    ).toBe(false)
    for (const path of [
      'users',
      'groups',
      `groups/${account.groupId}`,
      'api-tokens/all',
      'auth/audit-events',
    ]) {
      const answer = await client('GET', `/api/2/${path}`, { bearer })
      expect(answer.status, `${path} ${answer.text}`).toBe(200)
      if (path === 'users') expect(answer.text).not.toContain(username)
    }
    expect(service.log.join('\n')).toContain('"ItemUnreadable":1')
    expect(await service.readStoredUser(id)).toEqual(before)
    await continueAlone(find(writer), account)
  })
})
