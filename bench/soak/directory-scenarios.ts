import { bundle, linksPath } from '../../test/support/links.ts'
import { signIn } from '../../test/support/people.ts'
import type { Scenario } from './one-time-scenarios.ts'
import { type Scene, succeed } from './world.ts'

const isRefused = async ({ service, ledger }: Scene, bearer: string, name: string): Promise<void> => {
  const { status } = await service.client('GET', '/api/2/users/me', { bearer })
  if (status === 200) ledger.report(`${name} still works`)
  ledger.endedBearers.push(bearer)
}

export const signInAndOut: Scenario = async (scene) => {
  const { service, addUser } = scene
  const bearer = await signIn(service, await addUser())
  await succeed(service.client('GET', '/api/2/users/me', { bearer }))
  await succeed(service.client('POST', '/api/2/auth/logout', { bearer }))
  await isRefused(scene, bearer, 'an ended session')
}

export const shareLink: Scenario = async (scene) => {
  const { service, addUser, word } = scene
  const bearer = await signIn(service, await addUser({ permissions: ['media:access'] }))
  const body = { bundles: [bundle()], email: `${word()}@example.com` }
  const { id, token } = await succeed(service.client('POST', linksPath, { bearer, body }))
  const redeem = () => service.client('POST', `${linksPath}/redeem`, { body: { token } })
  const { session_key } = await succeed(redeem())
  await succeed(service.client('GET', '/api/2/users/me', { bearer: session_key }))
  await succeed(service.client('DELETE', `${linksPath}/${id}`, { bearer }))
  await isRefused(scene, session_key, 'a session of a deleted link')
  if ((await redeem()).status < 300) scene.ledger.report('a deleted link still works')
}

export const useApiToken: Scenario = async (scene) => {
  const { service, addUser } = scene
  const bearer = await signIn(service, await addUser())
  const body = { name: 'Sync' }
  const { id, token } = await succeed(service.client('POST', '/api/2/api-tokens', { bearer, body }))
  await succeed(service.client('GET', '/api/2/users/me', { bearer: token }))
  if (scene.random() < 0.5) return
  await succeed(service.client('DELETE', `/api/2/api-tokens/${id}`, { bearer }))
  await isRefused(scene, token, 'a deleted API token')
}

/** Two managers give two users the same new name. */
export const renameUsers: Scenario = async ({ service, signInAdmin, word, ledger }) => {
  const bearer = await signInAdmin()
  const create = async () => {
    const username = word()
    const body = { username, email: `${username}@example.com`, permissions: [], groups: [] }
    return (await succeed(service.client('POST', '/api/2/users', { bearer, body }))).id
  }
  const ids = [await create(), await create()]
  const username = word()
  const rename = (id: number) =>
    service.client('PATCH', `/api/2/users/${id}`, {
      bearer,
      body: { username, email: `${username}@example.com` },
    })
  const answers = await Promise.all(ids.map(rename))
  if (answers.filter(({ status }) => status === 200).length > 1) ledger.report('two users got one name')
}

/** Groups change while users join them and are deleted. */
export const changeGroups: Scenario = async ({ service, signInAdmin, word, random }) => {
  const bearer = await signInAdmin()
  const send = (method: string, path: string, body?: object) =>
    succeed(service.client(method, `/api/2/${path}`, { bearer, ...(body ? { body } : {}) }))
  const group = await send('POST', 'groups', { name: word() })
  const fields = { permissions: [], groups: [group.id] }
  const [first, second] = [
    await send('POST', 'users', { username: word(), ...fields }),
    await send('POST', 'users', { username: word(), permissions: [], groups: [] }),
  ]
  const results = await Promise.allSettled([
    send('PATCH', `groups/${group.id}`, { members: [{ id: second.id }], name: word() }),
    send('DELETE', `users/${first.id}`),
  ])
  for (const result of results)
    if (result.status === 'rejected' && !/^(409|5)/.test(String(result.reason.message))) throw result.reason
  if (random() < 0.5) await send('DELETE', `groups/${group.id}`)
}
