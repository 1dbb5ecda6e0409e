import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { LatchkeyConfig } from '../../lib/client/generated/configuration.ts'
import { type LocalService, startLocalService } from '../../local/start-local-service.ts'
import { makeFolder } from '../cli/command.ts'
import { compileCacheSetting } from '../support/shared-folder.ts'
import { waitFor } from '../support/wait-for.ts'

// A service that a program starts has its environment, and this one has settings of other tests.
const ownEnvironment = process.env
const { PATH = '' } = ownEnvironment
process.env = { PATH, ...compileCacheSetting(), PASSWORD_COST: '4', BREACH_ENDPOINT: '' }

const adminPassword = 'violin harbor mustard tent'
const folder = makeFolder()
const started: LocalService[] = []
const start = async (config: string | LatchkeyConfig, dataDir?: string) => {
  const service = await startLocalService({
    ...{ adminPassword, port: 0, config },
    ...(dataDir === undefined ? {} : { dataDir }),
  })
  started.push(service)
  return service
}
afterAll(async () => {
  await Promise.all(started.map(({ stop }) => stop()))
  folder.remove()
  process.env = ownEnvironment
})

const send = async ({ url }: LocalService, path: string, body?: object, credential?: string) => {
  const answer = await fetch(`${url}/api/2/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}
const signIn = (service: LocalService, username: string, password: string) =>
  send(service, 'auth/login', { username, password })

const password = 'ada likes silent films'
/** A product with people, a program and a link, as its developers have it on their machines. */
const product = {
  schema_version: 1,
  owner: 'film-library',
  groups: { viewers: { name: 'Viewers', permissions: ['films:view', 'media:access'] } },
  clients: { web: { name: 'Film library', redirect_uris: ['http://127.0.0.1:4000/callback'] } },
  service_accounts: { links: { permissions: ['media:access'], scopes: ['media:access', 'profile:view'] } },
  seed: {
    users: {
      ada: { password, full_name: 'Ada', email: 'ada@example.com', groups: ['viewers'] },
      'media-library': { permissions: ['media:access', 'films:view'] },
    },
    api_tokens: { nightly: { owner: 'media-library', scopes: ['media:access', 'profile:view'] } },
    access_links: {
      preview: { creator: 'ada', bundles: [{ id: 7, name: 'The Kid' }], permissions: { allow_read: true } },
    },
  },
} as const satisfies LatchkeyConfig

describe('a product with a configuration file', () => {
  it('has its client, people, token and link as soon as local mode has started, with the same IDs everywhere', async () => {
    const [first, second] = await Promise.all([start(product), start(product)])
    const {
      clients,
      users,
      api_tokens: tokens,
      access_links: links,
      service_accounts: accounts,
    } = first.outputs
    expect(clients?.['web']).toEqual({ client_id: 'web', client_secret: expect.stringMatching(/^lk/) })
    const signedIn = await signIn(first, 'ada', password)
    expect(signedIn.body.user).toMatchObject({
      id: users?.['ada']?.id,
      full_name: 'Ada',
      effective_permissions: ['films:view', 'media:access'],
    })
    const me = await send(first, 'users/me', undefined, tokens?.['nightly']?.token)
    expect(me.body).toMatchObject({ username: 'media-library', id: users?.['media-library']?.id })
    const program = await send(first, 'users/me', undefined, accounts?.['links']?.token)
    expect(program.body).toMatchObject({ username: 'links', effective_permissions: ['media:access'] })
    const opened = await send(first, 'auth/access-tokens/redeem', { token: links?.['preview']?.token })
    expect(opened.status).toBe(200)
    const idsOf = ({ outputs }: LocalService) => [
      outputs.users?.['ada']?.id,
      outputs.users?.['media-library']?.id,
      outputs.api_tokens?.['nightly']?.id,
      outputs.access_links?.['preview']?.id,
    ]
    expect(idsOf(second)).toEqual(idsOf(first))
  })

  it('is followed while it is edited, and a mistake in it changes nothing', async () => {
    const shared = folder.file('names.ts', `export const name: string = 'Viewers'\n`)
    const file = folder.file(
      'latchkey.config.ts',
      `import { name } from './names.ts'
interface Typed { readonly owner: string }
const typed: Typed = { owner: 'film-library' }
export default () => ({ ...typed, schema_version: 1, groups: { viewers: { name } } })
`,
    )
    const dataDir = join(folder.path, 'data')
    const service = await start(file, dataDir)
    const admin = (await signIn(service, 'admin', adminPassword)).body.session_key
    const listNames = async () =>
      (await send(service, 'groups', undefined, admin)).body.map(({ name }: { name: string }) => name)
    expect(await listNames()).toEqual(['Viewers'])
    writeFileSync(shared, `export const name: string = 'Readers'\n`)
    await waitFor(async () => expect(await listNames()).toEqual(['Readers']))
    const source = readFileSync(file, 'utf8')
    writeFileSync(file, source.replace('groups', 'gruops'))
    writeFileSync(shared, `export const name: string = 'Nobody'\n`)
    writeFileSync(file, source)
    await waitFor(async () => expect(await listNames()).toEqual(['Nobody']))
  })

  it('does not start with a mistake in it, and says where', async () => {
    const config = {
      schema_version: 1,
      owner: 'film-library',
      seed: { users: { ada: { groups: ['nobody'] } } },
    } as const
    await expect(start(config)).rejects.toThrow('seed.users.ada.groups.0 must be the key of a group')
  })
})
