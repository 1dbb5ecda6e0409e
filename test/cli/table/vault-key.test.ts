import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { getTotpKeyContext } from '../../../lib/accounts/users/account-state.ts'
import { userKind } from '../../../lib/accounts/users/stored-user.records.ts'
import { getSigningKeyContext } from '../../../lib/features/oauth/signing-keys/signing-key.ts'
import { openKmsVault } from '../../../lib/kernel/secrets/kms-vault.ts'
import { connectionKey, userKey, vaultCanaryKey } from '../../../lib/kernel/table/keys/keys.ts'
import { partitions } from '../../../lib/kernel/table/keys/partitions.ts'
import { openTable } from '../../../lib/kernel/table/open-table.ts'
import { checkVaultCanary, vaultCheckContext } from '../../../lib/kernel/table/vault-canary.ts'
import { createTable } from '../../../local/dynamodb.ts'
import { enableSecondFactor } from '../../support/authenticator.ts'
import { closeAfterTests } from '../../support/close-after-tests.ts'
import { makeIdp } from '../../support/idp.ts'
import { startKms } from '../../support/kms.ts'
import { shareLink } from '../../support/mailed-links.ts'
import { addConnection, startUpstream } from '../../support/oidc-upstream.ts'
import { addSignedIn, trySignIn } from '../../support/people.ts'
import { addProvider } from '../../support/saml.ts'
import { readItems } from '../../support/table-copies.ts'
import { useService } from '../../support/use-service.ts'
import { environmentOf, makeFolder, runTable } from '../command.ts'

/* A change of the vault key, and a move to an account with another one, while KMS stands in for both accounts. */

const [earlierKey, newKey] = ['earlier-vault-key', 'new-vault-key']
let isEarlierKeyUsable = true

// Codes of authenticator apps belong to one time step, however long this takes.
vi.useFakeTimers({ toFake: ['Date'] })
const kms = closeAfterTests(await startKms((_, __, { KeyId }) => isEarlierKeyUsable || KeyId !== earlierKey))

// What a stack sets in the second step of the change: new secrets get the new key, and both can be read.
const service = await useService({
  KMS_KEY_ID: newKey,
  KMS_OTHER_KEY_ID: earlierKey,
  AWS_ENDPOINT_URL_KMS: kms.url,
  ALLOW_PRIVATE_METADATA: 'true',
})
const folder = makeFolder()
const owner = await addSignedIn(service, { permissions: ['media:access'] })
const factor = await enableSecondFactor(service, owner)
const link: string = (await shareLink(service, owner)).token

// Creates the signing keys.
expect((await service.client('GET', '/.well-known/jwks.json')).body.keys).toHaveLength(2)
await checkVaultCanary(service.services.table, service.services.vault)
afterAll(async () => {
  folder.remove()
  vi.useRealTimers()
})

/** Gives the secrets the form that they had before the change. */
const encryptWithEarlierKey = async (): Promise<void> => {
  const { table, vault } = service.services
  const earlier = openKmsVault(earlierKey)
  for (const item of await readItems(service.tableName)) {
    if (item.sk === 'data-key') {
      const context = { purpose: 'access_token', month: item.pk.slice(-7) }
      const text = await vault.decrypt(String(item['cipher']), context)
      await table.put({ ...item, cipher: await earlier.encrypt(text, context) })
    }
    if (item.pk === vaultCanaryKey.pk)
      await table.put({ ...item, cipher: await earlier.encrypt('canary', vaultCheckContext) })
    if (item.pk === partitions.privateSigningKeys) {
      const context = getSigningKeyContext(String(item['kid']))
      const text = await vault.decrypt(String(item['cipher']), context)
      await table.put({ ...item, cipher: await earlier.encrypt(text, context) })
    }
    if (item.sk !== 'user' || item.pk !== userKey(owner.user.id).pk) continue
    const totp = item['totp'] as { readonly encryptedKey: string }
    const context = getTotpKeyContext(owner.user.id)
    const encryptedKey = await earlier.encrypt(await vault.decrypt(totp.encryptedKey, context), context)
    await table.put({ ...item, totp: { ...totp, encryptedKey } })
  }
}

await encryptWithEarlierKey()

const environment = () => ({
  ...environmentOf(),
  KMS_KEY_ID: newKey,
  KMS_OTHER_KEY_ID: earlierKey,
  AWS_ENDPOINT_URL_KMS: kms.url,
})
const run = (...args: readonly string[]) =>
  runTable([...args, '--table', service.tableName], environment(), folder.path)
const signInWithCode = (aheadSteps: number) =>
  trySignIn(service, owner, { otp: factor.authenticator.code(aheadSteps) })

describe('a change of the vault key', () => {
  it('needs both keys, and writes nothing in a dry run', async () => {
    const { KMS_OTHER_KEY_ID: _, ...incomplete } = environment()
    const refused = await runTable(['reencrypt', '--table', service.tableName], incomplete, folder.path)
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Set KMS_KEY_ID to the new vault key'),
    })
    const before = await readItems(service.tableName)
    const { code, stdout } = await run('reencrypt', '--dry-run')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\d+ items read, 5 would be encrypted with the new key\.\n$/)
    expect(await readItems(service.tableName)).toEqual(before)
  })

  it('fails no request before, during and after it', async () => {
    expect((await signInWithCode(1)).status).toBe(200)
    let isRunning = true
    const statuses: number[] = []
    const traffic = async (): Promise<void> => {
      while (isRunning) {
        const { bearer } = owner
        statuses.push((await service.client('GET', `/api/2/auth/access-tokens/get/${link}`)).status)
        statuses.push((await service.client('GET', '/api/2/auth/access-tokens', { bearer })).status)
      }
    }
    const [{ stdout }] = await Promise.all([
      run('reencrypt').finally(() => {
        isRunning = false
      }),
      traffic(),
    ])
    expect(stdout).toMatch(/, 5 encrypted with the new key\.\n$/)
    expect(new Set(statuses)).toEqual(new Set([200]))
    isEarlierKeyUsable = false
    expect((await signInWithCode(2)).status).toBe(200)
    const { bearer } = owner
    expect((await service.client('POST', '/api/2/auth/jwt', { bearer, body: {} })).status).toBe(200)
    await checkVaultCanary(service.services.table, service.services.vault)
    expect((await run('reencrypt')).stdout).toMatch(/, 0 encrypted with the new key\.\n$/)
    isEarlierKeyUsable = true
  })
})

describe('a move to another account', () => {
  it('copies every item, encrypts the secrets with the key there, and can be verified', async () => {
    await encryptWithEarlierKey()
    const to = `latchkey-${randomUUID()}`
    const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
    await createTable(endpoint, to)
    const items = await readItems(service.tableName)
    expect((await run('copy', '--to', to, '--dry-run')).stdout).toBe(
      `${items.length} items read, ${items.length} would be copied, 0 found in the copy.\n`,
    )
    expect(await readItems(to)).toEqual([])
    expect((await run('copy', '--to', to)).code).toBe(0)
    const verified = `${items.length} items read, 0 copied, ${items.length} found in the copy.\n`
    expect((await run('copy', '--to', to)).stdout).toBe(verified)
    const back = await runTable(
      ['copy', '--table', to, '--to', service.tableName, '--dry-run'],
      environment(),
      folder.path,
    )
    expect(back.stdout).toBe(verified.replace('0 copied', '0 would be copied'))

    isEarlierKeyUsable = false
    const copy = await openTable({ tableName: to, endpoint }).get(userKey(owner.user.id))
    const encryptedKey = userKind.codec.decodeOptional(copy)?.totp?.encryptedKey ?? ''
    const key = await openKmsVault(newKey).decrypt(encryptedKey, getTotpKeyContext(owner.user.id))
    expect(key).toBe(factor.authenticator.key)
    isEarlierKeyUsable = true
  })

  it('does not mix two services', async () => {
    const to = `latchkey-${randomUUID()}`
    const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
    await createTable(endpoint, to)
    const key = userKey(owner.user.id)
    const item = await service.services.table.get(key)
    await openTable({ tableName: to, endpoint }).put({ ...item, ...key, full_name: 'Someone else' })
    expect(await run('copy', '--to', to)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has other items already'),
    })
    expect(await run('copy', '--to', service.tableName)).toMatchObject({ code: 2 })
  })
})

describe('the secrets of connections', () => {
  /** The vault keys of all ciphertexts that an item holds, at any depth. */
  const keysIn = (item: object): readonly (string | undefined)[] => {
    const known = [...kms.material.sealed]
    const text = JSON.stringify(item)
    return known.filter(([blob]) => text.includes(blob)).map(([, { keyId }]) => keyId)
  }

  it('move together: the key pair in use, the next one and the former one, and the secret of a client', async () => {
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { id } = await addProvider(service, await makeIdp())
    const rotate = (body: object) =>
      service.client('POST', `/api/2/auth/saml/${id}/rotate-sp-key`, { bearer, body })
    const upstream = closeAfterTests(await startUpstream())
    const connection = await addConnection(service, bearer, upstream.issuer)
    const readKeys = async () => {
      const items = await readItems(service.tableName)
      return [id, connection.id].map((one) =>
        keysIn(
          items.find(({ pk, sk }) => pk === connectionKey(one).pk && sk === connectionKey(one).sk) ?? {},
        ),
      )
    }
    for (const body of [{}, { confirm: true }, {}]) expect((await rotate(body)).status).toBe(200)
    expect(await readKeys()).toEqual([[newKey, newKey, newKey], [newKey]])
    const backwards = { ...environment(), KMS_KEY_ID: earlierKey, KMS_OTHER_KEY_ID: newKey }
    expect((await runTable(['reencrypt', '--table', service.tableName], backwards, folder.path)).code).toBe(0)
    expect(await readKeys()).toEqual([[earlierKey, earlierKey, earlierKey], [earlierKey]])
    // The pair that waits still becomes the one in use.
    expect((await rotate({ confirm: true })).status).toBe(200)
  })
})
