import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { mintCredential, mintRandom } from '../../lib/kernel/secrets/credentials.ts'
import { environmentOf, makeFolder, startCommand } from '../cli/command.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { deployerEnvironment, sendConfig, startFunctionUrl } from '../support/config-function.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { unique } from './support.ts'

/* A secret is shown once. Whatever interrupts a command, the file of outputs has the secret that works, or the command says so. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const folder = makeFolder()
afterAll(() => folder.remove())
const functionUrl = closeAfterTests(await startFunctionUrl(service))

const run = (...args: readonly string[]) =>
  startCommand('config', [...args, '--function', functionUrl.url], {
    ...environmentOf(),
    ...deployerEnvironment,
  }).ended

const start = () => {
  const name = unique('films')
  const document = {
    ...{ schema_version: 1 as const, owner: name },
    clients: { [name]: { name, redirect_uris: ['https://films.example.com/callback'] } },
    service_accounts: { [name]: { name, scopes: ['users:view'], permissions: ['users:view'] } },
  }
  const file = folder.file(`${name}.yaml`, JSON.stringify(document))
  const outputs = join(folder.path, `${name}.json`)
  const read = () => JSON.parse(readFileSync(outputs, 'utf8'))
  const secretsOf = () => ({
    client: read().clients?.[name]?.client_secret as string | undefined,
    token: read().service_accounts?.[name]?.token as string | undefined,
  })
  const apply = (...more: readonly string[]) => run('apply', file, '--yes', '--outputs', outputs, ...more)
  return { name, document, file, outputs, read, secretsOf, apply }
}

const isClientSecret = async (name: string, secret: string) => {
  const authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
  const { status } = await service.client('POST', '/oauth2/introspect', {
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    raw: 'token=none',
  })
  return status === 200
}
const isToken = async (bearer: string) =>
  (await service.client('GET', '/api/2/users', { bearer })).status === 200
const expectBoth = async (
  name: string,
  { client = '', token = '' }: Partial<Record<'client' | 'token', string | undefined>>,
) => expect([await isClientSecret(name, client), await isToken(token)]).toEqual([true, true])

describe('the secrets of a file', () => {
  it('are lost by no folder that does not exist: nothing is changed before there is a place for them', async () => {
    const { name, file } = start()
    const missing = join(folder.path, name, 'outputs.json')
    const refused = await run('apply', file, '--yes', '--outputs', missing)
    expect(refused).toMatchObject({
      code: 1,
      stderr: `${missing} cannot be written: the folder ${join(folder.path, name)} does not exist.\n`,
    })
    expect((await call('GET', `oidc-clients?filter=${name}`)).body).toEqual([])
    mkdirSync(join(folder.path, name))
    expect(await run('apply', file, '--yes', '--outputs', missing)).toMatchObject({ code: 0 })
    expect(JSON.parse(readFileSync(missing, 'utf8')).clients[name].client_secret).toMatch(/^lko_/)
  })

  it('need a place, also the token of a service account', async () => {
    const { name, document } = start()
    const { clients: _, ...rest } = document
    const file = folder.file(`${name}-account.yaml`, JSON.stringify(rest))
    expect(await run('apply', file, '--yes')).toMatchObject({
      code: 1,
      stderr: `Nothing was changed. Add --outputs FILE: the service makes a secret for ${name}, which it shows only once.\n`,
    })
  })

  it('are there after an answer that was lost, because the next run sends the same', async () => {
    const { name, document, outputs, read, secretsOf, apply } = start()
    const pending = { client: mintRandom(), token: mintRandom() }
    // As a command leaves it that was killed while it waited for the answer.
    writeFileSync(
      outputs,
      JSON.stringify({
        clients: { [name]: { pending: pending.client } },
        service_accounts: { [name]: { pending: pending.token } },
      }),
    )
    const held = {
      [`clients.${name}`]: { random: pending.client },
      [`service_accounts.${name}`]: { random: pending.token },
    }
    const planned = await sendConfig(service, '/plan', { document })
    const lost = await sendConfig(service, '/apply', { document, plan: planned.body.plan, held })
    expect(lost.status).toBe(200)
    expect(await apply()).toMatchObject({ code: 0, stdout: '2 unchanged.\n', stderr: '' })
    await expectBoth(name, secretsOf())
    expect(read().clients[name]).toEqual({ client_id: name, client_secret: secretsOf().client })
    const [{ id }] = (await call('GET', `oidc-clients?filter=${name}`)).body
    expect(secretsOf().client).toBe(mintCredential('oidc_client_secret', id, pending.client).value)
    // Neither was made twice.
    expect((await call('GET', `oidc-clients/${id}`)).body.client_secrets).toHaveLength(1)
  })

  it('are sent again by a command that was killed before the service had them', async () => {
    const { name, outputs, secretsOf, apply } = start()
    const random = mintRandom()
    writeFileSync(outputs, JSON.stringify({ clients: { [name]: { pending: random } } }))
    expect((await apply()).code).toBe(0)
    await expectBoth(name, secretsOf())
    expect(secretsOf().client).toContain(random)
  })

  it('are missed aloud where the file has none, and renewed by the command that the line says', async () => {
    const { name, outputs, read, secretsOf, apply } = start()
    expect((await apply()).code).toBe(0)
    const before = secretsOf()
    writeFileSync(outputs, '{}')
    const lines = (await apply()).stdout.split('\n')
    expect(lines.filter((line) => line.includes('has no secret for'))).toHaveLength(2)
    const strict = await apply('--require-secrets')
    expect(strict.code).toBe(1)
    const [, entry = ''] = /--renew (\S+)/.exec(strict.stderr) ?? []
    expect(entry).toBe(`clients.${name}`)
    expect(read().clients[name]).toEqual({ client_id: name })
    const renewed = await apply('--renew', `clients.${name},service_accounts.${name}`)
    expect(renewed).toMatchObject({ code: 0, stderr: '' })
    await expectBoth(name, secretsOf())
    // The product has a day to get the new ones.
    await expectBoth(name, before)
    expect((await apply('--require-secrets')).code).toBe(0)
  })

  it('end the command where the file has another secret than the service', async () => {
    const { name, read, secretsOf, apply, outputs } = start()
    expect((await apply()).code).toBe(0)
    const other = mintCredential('oidc_client_secret', 7).value
    const own = read()
    own.clients[name].client_secret = other
    writeFileSync(outputs, JSON.stringify(own))
    const refused = await apply()
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(`${outputs} has another secret than the service for clients.${name}.`)
    expect(refused.stdout + refused.stderr).not.toContain(other)
    expect(secretsOf().client).toBe(other)
    expect((await apply('--renew', `clients.${name}`)).code).toBe(0)
    await expectBoth(name, secretsOf())
  })

  it.each(['clients.nobody', 'groups.films', '__proto__'])('cannot be renewed for %j', async (entry) => {
    const { apply, outputs } = start()
    expect((await apply()).code).toBe(0)
    const before = readFileSync(outputs, 'utf8')
    const refused = await apply('--renew', entry)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('is no client or service account of this document')
    expect(readFileSync(outputs, 'utf8')).toBe(before)
  })
})

describe('a secret from outside', () => {
  it.each<readonly [title: string, random: unknown]>([
    ['that is short', 'a'],
    ['of another alphabet', '-'.repeat(33)],
    ['with more bits than a credential has', 'z'.repeat(33)],
    ['that is a whole credential', mintCredential('oidc_client_secret', 1).value],
    ['that is no text', 7],
    ['that is empty', ''],
  ])('is refused %s', async (_, random) => {
    const { name, document } = start()
    const { body } = await sendConfig(service, '/plan', { document })
    const held = { [`clients.${name}`]: { random } }
    const answer = await sendConfig(service, '/apply', { document, plan: body.plan, held })
    expect(answer.status).toBe(400)
    expect((await call('GET', `oidc-clients?filter=${name}`)).body).toEqual([])
  })

  it('tells nobody about the secrets of another owner', async () => {
    const { name, document, secretsOf, apply, outputs } = start()
    expect((await apply()).code).toBe(0)
    expect(existsSync(outputs)).toBe(true)
    const random = secretsOf().client?.slice(10, 43) ?? ''
    const foreign = { ...document, owner: `${name}-other` }
    const { status } = await sendConfig(service, '/plan', { document: foreign })
    expect(status).toBe(400)
    const empty = { schema_version: 1, owner: `${name}-other` }
    const { body } = await sendConfig(service, '/plan', { document: empty })
    const held = { [`clients.${name}`]: { random } }
    const answer = await sendConfig(service, '/apply', { document: empty, plan: body.plan, held })
    expect(answer.body.secrets).toEqual({})
  })
})
