import { hash } from 'bcryptjs'
import { userKey } from '../../lib/kernel/table/keys/keys.ts'
import { tableName } from '../../local/settings.ts'
import { makeIdp } from '../../test/support/idp.ts'
import { startNodeServer } from './child-server.ts'
import { type LatchkeyWorld, passwordCost } from './latchkey-world.ts'
import { createOnce, formRequest, jsonRequest } from './plan.ts'
import { password, repeatJob, type Target, usernameOf } from './scenarios.ts'
import type { FloorData } from './serve-floors.ts'

/** Starts what the aims compare with, on the engine of the world. */
export const startFloors = async (world: LatchkeyWorld): Promise<Target> => {
  const idp = await makeIdp()
  const acsUrl = 'https://auth.example.com/assertion'
  const audience = 'https://auth.example.com/metadata'
  const data: FloorData = {
    tableName,
    endpoint: world.env['DYNAMODB_ENDPOINT'] ?? '',
    // Two users have the size of a session with its user.
    keys: world.userIds.slice(0, 2).map((id) => ({ ...userKey(id) })),
    password,
    hash: await hash(password, passwordCost),
    idpCertificate: idp.signer.pem,
    audience,
    acsUrl,
  }
  const child = await startNodeServer('bench/load/serve-floors.ts', () => ({
    ...world.env,
    FLOORS: JSON.stringify(data),
  }))
  const { url } = child
  const createSamlRequest = async (at: number) => {
    const target = { requestId: `_request${at}`, acsUrl, audience }
    const { form } = await idp.answer(target, { nameId: `${usernameOf(at)}@example.com` })
    return formRequest('/node-saml', { ...form })
  }
  const get = (path: string) => repeatJob(url, [jsonRequest('GET', path)])
  return {
    name: 'floor',
    roots: [child.pid, ...world.enginePids],
    jobs: {
      gateway: get('/gateway'),
      'sdk-call': get('/sdk-call'),
      'sdk-query': get('/sdk-query'),
      'sdk-page': get('/sdk-page'),
      bcrypt: get('/bcrypt'),
      'bcrypt-threads': get('/bcrypt-threads'),
      'node-saml': {
        url,
        expectedStatus: 200,
        plan: async (count) => ({ kind: 'once', requests: await createOnce(count, createSamlRequest) }),
      },
    },
    close: child.close,
  }
}
