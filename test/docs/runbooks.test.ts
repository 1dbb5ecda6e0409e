import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { findAdoptionProblems } from '../../infra/parts/adoption.ts'
import { contextKeys } from '../../infra/settings/read-settings.ts'
import { archiveLog } from '../../lib/features/audit/archive-bucket.ts'
import { maintainChains } from '../../lib/features/audit/maintain-chains.ts'
import { signingKeyCacheMs } from '../../lib/kernel/limits/limits.ts'
import { createLog } from '../../lib/kernel/log/log.ts'
import { openKmsVault } from '../../lib/kernel/secrets/kms-vault.ts'
import { vaultCanaryKey } from '../../lib/kernel/table/keys/keys.ts'
import { openTable } from '../../lib/kernel/table/open-table.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { checkVaultCanary, vaultCheckContext } from '../../lib/kernel/table/vault-canary.ts'
import { createTable } from '../../local/dynamodb.ts'
import { type CommandResult, environmentOf, makeFolder, runDocumented } from '../cli/command.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { clientOf } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startKms } from '../support/kms.ts'
import { addLink } from '../support/links.ts'
import { endServices, startService as startLocalMode } from '../support/local-service.ts'
import {
  addOrganization,
  findOffer,
  inviteMember,
  newPersonAddress,
} from '../support/organization-invitations.ts'
import { addPasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, type Person, type SignedInPerson } from '../support/people.ts'
import { startTableControl } from '../support/table-control.ts'
import { readItems, restoreItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'
import { blocksOf, sectionOf } from './markdown.ts'
import { commandTextsOf, wordsOf } from './shell-commands.ts'

/*
 * Carries out the runbooks with the very commands that they show, on a table with people in it. What an operator types is
 * replaced as the page says: the names of tables, the URL, the account.
 */

const operate = 'docs/operate.md'
const tableInPage = 'LatchkeyProd-AuthTable60C69E80-EXAMPLE'
const hour = 3_600_000
const [earlierKey, newKey] = ['earlier-vault-key', 'new-vault-key']

let isEarlierKeyUsable = true
const kms = closeAfterTests(await startKms((_, __, { KeyId }) => isEarlierKeyUsable || KeyId !== earlierKey))
const service = await useService({
  KMS_KEY_ID: newKey,
  KMS_OTHER_KEY_ID: earlierKey,
  AUDIT_KEY_ID: 'audit-key',
  AWS_ENDPOINT_URL_KMS: kms.url,
})
const folder = makeFolder()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
afterEach(() => vi.useRealTimers())
afterAll(async () => {
  await endServices()
  folder.remove()
})

/** The commands that were carried out. */
const walked = new Set<string>()

/** The commands below a heading that begin like this. */
const commandsBelow = (
  file: string,
  heading: string,
  start = 'npm exec --no -- latchkey ',
): readonly string[] => {
  const found = commandTextsOf(sectionOf(file, heading).blocks).filter((text) => text.startsWith(start))
  if (found.length === 0) throw new Error(`${file} shows no command "${start}" below "${heading}"`)
  return found
}

const environment = () => ({
  ...environmentOf(),
  KMS_KEY_ID: newKey,
  KMS_OTHER_KEY_ID: earlierKey,
  AUDIT_KEY_ID: 'audit-key',
  AWS_ENDPOINT_URL_KMS: kms.url,
})

/** Runs commands of a page one after the other, with the names of this test, and requires that each succeeds. */
const carryOut = async (
  commands: readonly string[],
  names: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = environment(),
): Promise<readonly CommandResult[]> => {
  const results: CommandResult[] = []
  for (const command of commands) {
    walked.add(command)
    const words = wordsOf(command).map((word) => (Object.hasOwn(names, word) ? (names[word] ?? '') : word))
    const left = words.filter((word) => /example/i.test(word) && !Object.values(names).includes(word))
    if (left.length > 0) throw new Error(`The command has names that the test does not replace: ${left}`)
    const result = await runDocumented(words, env, folder.path)
    expect({ command, ...result }).toMatchObject({ command, code: 0, stderr: '' })
    results.push(result)
  }
  return results
}

const send = (method: string, path: string, bearer?: string, body?: object) =>
  service.client(method, `/api/2/${path}`, { ...(bearer ? { bearer } : {}), body })
const login = ({ user, password }: Person, fields: object = {}) =>
  send('POST', 'auth/login', undefined, { username: user.username, password, ...fields })
const isAccepted = async (bearer: string): Promise<boolean> =>
  (await send('GET', 'users/me', bearer)).status === 200
const newPassword = () => `A new and long password ${randomUUID()}`

describe('a copy of the folder of local mode', () => {
  it('starts beside its vault key with its sessions and passwords, and not without the key', async () => {
    const dataDir = join(folder.path, 'local')
    const before = await startLocalMode({ DATA_DIR: dataDir })
    const [, password = ''] = /password (\S+)/.exec(before.stdout()) ?? []
    const body = { username: 'admin', password }
    const first = await clientOf(before.url)('POST', '/api/2/auth/login', { body })
    const bearer = first.body.session_key
    before.process.kill('SIGTERM')
    await before.exited
    const [copy, incomplete] = [join(folder.path, 'copy'), join(folder.path, 'incomplete')]
    cpSync(dataDir, copy, { recursive: true })
    cpSync(dataDir, incomplete, { recursive: true, filter: (path) => !path.endsWith('vault.key') })

    const after = await startLocalMode({ DATA_DIR: copy })
    const client = clientOf(after.url)
    expect((await client('GET', '/api/2/users/me', { bearer })).body.username).toBe('admin')
    expect((await client('POST', '/api/2/auth/login', { body })).status).toBe(200)
    expect((await client('GET', '/api/2/health?deep=true', { bearer })).body.status).toBe('ok')
    await expect(startLocalMode({ DATA_DIR: incomplete })).rejects.toThrow('vault.key is missing')
    const { text } = sectionOf(operate, 'Back up and restore')
    expect(text).toContain('the service refuses to start and says which file to restore')
  })
})

describe('a rotation', () => {
  it('withdraws a key that signs JWTs with the payload of the page, and signs with the next one', async () => {
    const { handler } = await import('../../functions/signing-keys/index.ts')
    await handler({})
    const keys = async () => (await service.client('GET', '/.well-known/jwks.json')).body.keys
    const [{ kid }] = (await keys()).toReversed()
    const [command = ''] = commandsBelow(operate, 'Withdraw a signing key', 'aws lambda invoke')
    const words = wordsOf(command)
    const payload = JSON.parse(words[words.indexOf('--payload') + 1] ?? '')
    expect(Object.keys(payload)).toEqual(['withdraw'])
    expect(kid).toHaveLength(payload.withdraw.length)
    expect(await handler({ withdraw: kid })).toEqual({ withdrawn: [kid] })
    // Functions keep the key set for a while.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + signingKeyCacheMs })
    expect(JSON.stringify(await keys())).not.toContain(kid)
    expect((await send('POST', 'auth/jwt', admin.bearer, {})).status).toBe(200)
    expect((await handler({ withdraw: 'all' })).withdrawn.length).toBeGreaterThan(0)
    expect((await send('POST', 'auth/jwt', admin.bearer, {})).status).toBe(200)
  })

  it('changes the vault key, after which the earlier one is not needed', async () => {
    const { table, vault } = service.services
    const cipher = await openKmsVault(earlierKey).encrypt('canary', vaultCheckContext)
    await table.put({ ...vaultCanaryKey, cipher })
    const commands = commandsBelow(operate, 'Change the vault key')
    const results = await carryOut(commands, { [tableInPage]: service.tableName })
    expect(results.map(({ stdout }) => /, (.*)\n$/.exec(stdout)?.[1])).toEqual([
      '1 would be encrypted with the new key.',
      '1 encrypted with the new key.',
    ])
    isEarlierKeyUsable = false
    await checkVaultCanary(table, vault)
    isEarlierKeyUsable = true
  })
})

describe('a leak', () => {
  /** What each operation of the page ends. Returns whether the credential is still accepted. */
  const ends: Readonly<Record<string, (person: SignedInPerson) => Promise<boolean>>> = {
    end_user_sessions: async ({ user, bearer }) => {
      expect((await send('DELETE', `users/${user.id}/sessions`, admin.bearer)).status).toBe(204)
      return isAccepted(bearer)
    },
    set_user_password: async (person) => {
      const path = `users/${person.user.id}/password`
      const body = { password: newPassword() }
      expect((await send('POST', path, admin.bearer, body)).status).toBe(204)
      return (await login(person)).status === 200 || isAccepted(person.bearer)
    },
    delete_user_passkey: async (person) => {
      const { id, passkey } = await addPasskey(service, person)
      const path = `users/${person.user.id}/passkeys/${id}`
      expect((await send('DELETE', path, admin.bearer)).status).toBe(204)
      return (await signInWithPasskey(service, passkey)).status === 200 || isAccepted(person.bearer)
    },
    delete_api_token: async ({ user, bearer }) => {
      const { id, token } = (await send('POST', 'api-tokens', bearer, { name: 'Sync' })).body
      expect((await send('DELETE', `api-tokens/${id}?user=${user.id}`, admin.bearer)).status).toBe(204)
      return isAccepted(token)
    },
    delete_organization_api_token: async () => {
      const { id, owner } = await addOrganization(service, admin)
      const given = { name: 'Sync', permissions: ['org:members:view'] }
      const path = `organizations/${id}/api-tokens`
      const { body } = await send('POST', path, owner.bearer, given)
      expect((await send('DELETE', `${path}/${body.id}`, owner.bearer)).status).toBe(204)
      return (await send('GET', 'organizations/current', body.token)).status === 200
    },
    revoke_organization_invitation: async () => {
      const { id, path, owner } = await addOrganization(service, admin)
      const email = newPersonAddress()
      const invited = await inviteMember(service, { path }, owner, { email })
      const ended = await send('DELETE', `organizations/${id}/invitations/${invited.id}`, owner.bearer)
      expect(ended.status).toBe(204)
      return (await findOffer(service, invited.token)).status === 200
    },
    delete_access_token: async ({ bearer }) => {
      const { id, token } = await addLink(service, bearer)
      const opened = await send('POST', 'auth/access-tokens/redeem', undefined, { token })
      expect((await send('DELETE', `auth/access-tokens/${id}`, bearer)).status).toBe(204)
      return isAccepted(opened.body.session_key)
    },
  }
  const [, documented = ''] = sectionOf(operate, 'Respond to a leak').text.split('| leaked | do |')
  const operations = [...documented.matchAll(/^\| .*?reference\/operations\.md#(\w+)/gm)].map(
    ([, id]) => id ?? '',
  )

  it('is answered by operations that this test carries out', () => {
    expect(operations.toSorted()).toEqual(Object.keys(ends).sort())
  })

  it.each(operations)('is ended by %s', async (id) => {
    const person = await addSignedIn(service, { permissions: ['media:access'] })
    expect(await ends[id]?.(person)).toBe(false)
  })

  it('is ended by disabling the account', async () => {
    const { user, bearer } = await addSignedIn(service)
    const changed = await send('PATCH', `users/${user.id}`, admin.bearer, { is_enabled: false })
    expect(changed.status).toBe(200)
    expect(await isAccepted(bearer)).toBe(false)
  })

  it('in a file is reported with the commands of the page', async () => {
    const { bearer } = await addSignedIn(service)
    const commands = commandsBelow('docs/leaked-credentials.md', 'Report all credentials in a file')
    const file = wordsOf(commands[0] ?? '').find((word) => word.endsWith('.log')) ?? ''
    folder.file(file, `GET /?session=${bearer}\n`)
    const [dryRun] = await carryOut(commands.slice(0, 1), { 'https://auth.example.com': service.url })
    expect(dryRun?.stdout).toBe('session: 1\n')
    expect(await isAccepted(bearer)).toBe(true)
    await carryOut(commands.slice(1), { 'https://auth.example.com': service.url })
    expect(await isAccepted(bearer)).toBe(false)
  })
})

describe('a lost administrator', () => {
  it('gets in again with the command of the page', async () => {
    const email = `${randomUUID()}@example.com`
    const person = await addPerson(service, { email, is_enabled: false })
    const [{ stdout } = { stdout: '' }] = await carryOut(commandsBelow(operate, 'A lost administrator'), {
      'ada@example.com': email,
      [tableInPage]: service.tableName,
      'https://auth.example.com': service.url,
    })
    const [, token] = /\/reset#token=(\S+)/.exec(stdout) ?? []
    const password = newPassword()
    expect((await send('POST', 'auth/reset-password', undefined, { token, password })).status).toBe(204)
    const { body } = await login({ ...person, password })
    expect((await send('GET', 'users', body.session_key)).status).toBe(200)
  })
})

/* From here on, all sessions end. */

describe('a restore to a point in time', () => {
  let backup: readonly Item[]
  let owner: SignedInPerson
  let checkpoint: string
  let used: { ticket: string; deletedToken: string; keptToken: string }
  let code: () => string

  beforeAll(async () => {
    // A checkpoint signs events that are some time ago.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3 * hour })
    owner = await addSignedIn(service, { permissions: ['system:admin-access'] })
    code = (await enableSecondFactor(service, owner)).authenticator.code
    const addToken = async (name: string) => (await send('POST', 'api-tokens', owner.bearer, { name })).body
    const deleted = await addToken('deleted')
    const { token: keptToken } = await addToken('kept')
    const lines: string[] = []
    for (const wait of [hour / 60, hour, hour]) {
      vi.setSystemTime(Date.now() + wait)
      await maintainChains(
        service.services,
        createLog('info', (line) => lines.push(line)),
      )
    }
    checkpoint = JSON.parse(lines.at(-1) ?? '{}').checkpoint
    vi.useRealTimers()
    const { ticket } = (await send('POST', 'auth/ticket', owner.bearer, {})).body
    used = { ticket, deletedToken: deleted.token, keptToken }
    backup = await readItems(service.tableName)
    expect((await send('POST', 'auth/ticket/check', undefined, { ticket })).status).toBe(200)
    expect((await send('DELETE', `api-tokens/${deleted.id}`, owner.bearer)).status).toBe(204)
  })

  it('ends what was used since with the commands of the page, and leaves the rest', async () => {
    const replaced = `latchkey-${randomUUID()}`
    await createTable(process.env['DYNAMODB_ENDPOINT'] ?? '', replaced)
    const table = openTable({ tableName: replaced, endpoint: process.env['DYNAMODB_ENDPOINT'] })
    for (const item of await readItems(service.tableName)) await table.put(item)
    const [restore = ''] = commandsBelow(operate, 'Restore to a point in time', 'aws dynamodb ')
    expect(wordsOf(restore)).toEqual(expect.arrayContaining([tableInPage, 'Restored']))
    await restoreItems(service, backup)

    const names = { [tableInPage]: replaced, Restored: service.tableName }
    const [dryRun] = await carryOut(
      commandsBelow(operate, 'Restore to a point in time', 'npm exec --no -- latchkey table'),
      names,
    )
    expect(dryRun?.stdout).toContain('API tokens: 1 would be ended\n')
    expect(await isAccepted(owner.bearer)).toBe(false)
    expect(await isAccepted(used.deletedToken)).toBe(false)
    expect(await isAccepted(used.keptToken)).toBe(true)
    const check = await send('POST', 'auth/ticket/check', undefined, { ticket: used.ticket })
    expect(check.status).toBe(404)
    // The vault key is the one of the data. Codes of the last moments before the restore are refused.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hour / 12 })
    expect((await login(owner, { otp: code() })).status).toBe(200)
  })

  it('leaves an audit log that the page verifies, with and without an expected checkpoint', async () => {
    const commands = commandsBelow(operate, 'Verify the audit log')
    const [documented = ''] = /\d+:[\w-]{43}/.exec(commands.join(' ')) ?? []
    const results = await carryOut(commands, { [tableInPage]: service.tableName, [documented]: checkpoint })
    expect(results).toHaveLength(2)
    for (const { stdout } of results) expect(stdout).toContain('No tampering was found.')
  })

  it('leaves an audit log that is exported, and verified with the public key alone', async () => {
    const publicKey = kms.material.pair.publicKey.export({ type: 'spki', format: 'pem' })
    folder.file('audit.pem', String(publicKey))
    await archiveLog(service.services, async (name, content) => {
      const file = join(folder.path, 'audit-archive', name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    })
    const commands = commandsBelow(operate, 'Keep audit events longer')
    const [archive, exported, verified] = await carryOut(commands, { [tableInPage]: service.tableName })
    expect(archive?.stdout).toContain('No tampering was found.')
    expect(exported?.stdout).toMatch(/^[\d,]+ items exported\.$/m)
    expect(verified?.stdout).toContain('No tampering was found.')
  })

  it('gets a table that a stack can adopt, with the settings that the page shows', async () => {
    const control = await startTableControl()
    const section = sectionOf(operate, 'Adopt a table')
    const env = { ...environment(), AWS_REGION: 'eu-west-1', DYNAMODB_ENDPOINT: control.url }
    const results = await carryOut(
      commandsBelow(operate, 'Adopt a table'),
      { [tableInPage]: 'Replaced' },
      env,
    )
    await control.close()
    expect(results[0]?.stdout).toContain('would be turned on')
    const printed = results.at(-1)?.stdout ?? ''
    const settings = JSON.parse(printed.slice(printed.indexOf('{')))
    const shown = JSON.parse(section.blocks.find(({ language }) => language === 'json')?.text ?? '{}')
    const inTable = [...section.text.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name)
    expect([...Object.keys(shown), ...inTable]).toEqual(expect.arrayContaining(Object.keys(settings)))
    const inPage = [...Object.keys(shown.table).map((name) => `table.${name}`), ...inTable]
    expect(inPage).toEqual(expect.arrayContaining(['table.name', 'table.streamArn', 'table.keyArn']))
    expect(findAdoptionProblems(settings, 'eu-west-1')).toEqual([])
  })
})

describe('a restore in another region', () => {
  const page = 'docs/multi-region.md'
  const heading = 'Restore the service'

  it('ends all sessions without the earlier table, and keeps passwords and the audit log', async () => {
    const person = await addSignedIn(service)
    const names = { Restored: service.tableName }
    await carryOut(commandsBelow(page, heading, 'npm exec --no -- latchkey table end-credentials'), names)
    expect(await isAccepted(person.bearer)).toBe(false)
    expect((await login(person)).status).toBe(200)
    const [verified] = await carryOut(commandsBelow(page, heading, 'npm exec --no -- latchkey audit'), names)
    expect(verified?.stdout).toContain('No tampering was found.')
  })

  it('prepares the table for settings that exist', async () => {
    const control = await startTableControl()
    const env = { ...environment(), AWS_REGION: 'eu-west-1', DYNAMODB_ENDPOINT: control.url }
    await carryOut(commandsBelow(page, heading, 'npm exec --no -- latchkey table prepare'), {}, env)
    await control.close()
    const settings = sectionOf(page, heading).blocks.filter(({ language }) => language === 'json')
    expect(settings).not.toEqual([])
    for (const { text } of settings)
      for (const name of Object.keys(JSON.parse(text))) expect(contextKeys).toContain(name)
  })
})

describe('a move to another account', () => {
  it('creates a table and copies all items into it, also when it is repeated', async () => {
    const heading = 'Move a service to another account'
    const key = 'arn:aws:kms:eu-central-1:444455556666:key/example'
    const control = await startTableControl()
    const env = { ...environment(), AWS_REGION: 'eu-central-1', DYNAMODB_ENDPOINT: control.url }
    const [dryRun] = await carryOut(
      commandsBelow(operate, heading, 'npm exec --no -- latchkey table prepare'),
      { [key]: key },
      env,
    )
    expect(dryRun?.stdout).toBe('table: would be created\n')
    expect(control.state.changes).toContain('CreateTable')
    await control.close()

    const to = `latchkey-${randomUUID()}`
    await createTable(process.env['DYNAMODB_ENDPOINT'] ?? '', to)
    const source = `arn:aws:dynamodb:eu-central-1:111122223333:table/${tableInPage}`
    const names = { [source]: service.tableName, 'Latchkey-Moved': to }
    const copy = commandsBelow(operate, heading, 'npm exec --no -- latchkey table copy')
    await carryOut(copy, names)
    const [again] = await carryOut(copy, names)
    const items = await readItems(service.tableName)
    expect(again?.stdout).toBe(`${items.length} items read, 0 copied, ${items.length} found in the copy.\n`)
  })
})

describe('a leaked table', () => {
  it('leaves no session, and makes everyone choose a password', async () => {
    const person = await addSignedIn(service)
    const { recoveryCodes } = await enableSecondFactor(service, person)
    await carryOut(commandsBelow(operate, 'Respond to a leaked table'), { [tableInPage]: service.tableName })
    expect(await isAccepted(person.bearer)).toBe(false)
    expect((await login(person, { otp: recoveryCodes[0] })).body.reason).toBe('otp_invalid')
    const other = await addPerson(service)
    await carryOut(commandsBelow(operate, 'Respond to a leaked table'), { [tableInPage]: service.tableName })
    expect((await login(other)).body.reason).toBe('password_change_required')
  })
})

it('every command that maintains the data was carried out', () => {
  const pages = [operate, 'docs/leaked-credentials.md', 'docs/multi-region.md']
  const shown = pages.flatMap((page) => commandTextsOf(blocksOf(page)))
  const maintaining = shown.filter((text) =>
    /^npm exec --no -- latchkey (?:table|users|audit|leaks) /.test(text),
  )
  expect(maintaining.length).toBeGreaterThan(12)
  expect(maintaining.filter((text) => !walked.has(text))).toEqual([])
})
