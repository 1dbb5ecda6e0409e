import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, clientOf, type RequestOptions } from '../support/client.ts'
import { adminPassword, type Deployment, deploy, routesOf } from './deployment.ts'
import { startFunction } from './lambda.ts'
import { resourcesOf, type Synthesis, synthesise } from './synthesis.ts'

/*
 * What would run on AWS, as far as it can be run here: the functions' bundles, their environment, their routes and
 * what their roles allow, all from the synthesised template.
 */

let synthesis: Synthesis
let deployment: Deployment
const call = (method: string, path: string, options?: RequestOptions): Promise<Answer> =>
  clientOf(deployment.url)(method, path, options)

beforeAll(async () => {
  synthesis = synthesise()
  deployment = await deploy(synthesis, process.env['DYNAMODB_ENDPOINT'] ?? '')
})
afterAll(async () => {
  await deployment?.close()
  synthesis?.remove()
})

const functionId = (name: string): string => {
  const [id] = [...deployment.functions.keys()].filter((key) => key.startsWith(`Auth${name}Function`))
  if (!id) throw new Error(`there is no function ${name}`)
  return id
}

const customResourceEvent = (type: 'Create' | 'Update' | 'Delete') => ({
  RequestType: type,
  ResponseURL: deployment.responseUrl,
  StackId: 'stack',
  RequestId: type,
  LogicalResourceId: 'FirstAdmin',
})
const outcomeOf = async (type: 'Create' | 'Update' | 'Delete') => {
  await deployment.functions.get(functionId('FirstAdmin'))?.invoke(customResourceEvent(type))
  return deployment.responses.at(-1)
}

describe('the first administrator', () => {
  it('is made when the stack is, from the secret', async () => {
    expect(await outcomeOf('Create')).toEqual({
      Status: 'SUCCESS',
      Reason: 'The user admin was made.',
      StackId: 'stack',
      RequestId: 'Create',
      LogicalResourceId: 'FirstAdmin',
      PhysicalResourceId: 'first-admin',
    })
  })

  it('is made once', async () => {
    expect(await outcomeOf('Update')).toMatchObject({
      Status: 'SUCCESS',
      Reason: 'The user admin had been made before.',
    })
  })

  it('stays when the stack goes', async () => {
    expect(await outcomeOf('Delete')).toMatchObject({ Status: 'SUCCESS' })
  })

  it('is answered for when it can’t be made: with a reason, and before CloudFormation gives up', async () => {
    const code = synthesis.assetOf(functionId('FirstAdmin'))
    const misconfigured = await startFunction(code, { ADMIN_PASSWORD_SECRET: 'secret' })
    await misconfigured.invoke(customResourceEvent('Create'))
    await misconfigured.stop()
    expect(deployment.responses.at(-1)).toMatchObject({
      Status: 'FAILED',
      Reason: 'The user admin could not be made (Error); the log of this function says more.',
    })
    expect(misconfigured.log()).toContain('TABLE_NAME is missing')
  })

  it('has its password told to nobody', () => {
    expect(JSON.stringify(deployment.responses)).not.toContain(adminPassword)
    expect(deployment.functions.get(functionId('FirstAdmin'))?.log()).not.toContain(adminPassword)
  })
})

describe('the deployed service', () => {
  let bearer: string
  let ticket: string

  it('signs the administrator in', async () => {
    const { status, body } = await call('POST', '/api/2/auth/login', {
      body: { username: 'admin', password: adminPassword },
    })
    expect(status).toBe(200)
    bearer = body.session_key
  })

  it('makes a ticket', async () => {
    const { status, body } = await call('POST', '/api/2/auth/ticket', { bearer, body: {} })
    expect(status).toBe(200)
    ticket = body.ticket
  })

  it('exchanges the ticket once', async () => {
    const first = await call('POST', '/api/2/auth/ticket/check', { body: { ticket } })
    expect(first).toMatchObject({ status: 200, body: { username: 'admin' } })
    const second = await call('POST', '/api/2/auth/ticket/check', { body: { ticket } })
    expect(second).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('manages users', async () => {
    const ada = { username: 'ada', email: 'ada@example.com', groups: [], permissions: [], fm_bookmarks: [] }
    const made = await call('POST', '/api/2/users', { bearer, body: ada })
    expect(made.status).toBe(201)
    const path = made.headers.get('location') ?? ''
    expect(await call('GET', path, { bearer })).toMatchObject({ status: 200, body: { username: 'ada' } })
    const password = 'A good and long password'
    expect((await call('POST', `${path}/password`, { bearer, body: { password } })).status).toBe(204)
    expect((await call('POST', '/api/2/auth/login', { body: { username: 'ada', password } })).status).toBe(
      200,
    )
  })

  it('knows who is asking', async () => {
    const { status, body } = await call('GET', '/api/2/users/me', { bearer })
    expect(status).toBe(200)
    expect(body.username).toBe('admin')
  })

  it('answers a path that there isn’t with 404, another method with 405', async () => {
    expect(await call('GET', '/api/2/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    const wrongMethod = await call('DELETE', '/api/2/auth/login')
    expect(wrongMethod).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    expect(wrongMethod.headers.get('allow')).toBe('POST')
  })

  it('signs out at once', async () => {
    expect((await call('POST', '/api/2/auth/logout', { bearer })).status).toBe(204)
    expect((await call('GET', '/api/2/users/me', { bearer })).status).toBe(401)
    expect((await call('POST', '/api/2/auth/ticket', { bearer, body: {} })).status).toBe(401)
  })

  it('answers with every function', async () => {
    const first = new Map(
      routesOf(synthesis.template).map(({ routeKey, target }) => [target, routeKey] as const),
    )
    const { body } = await call('POST', '/api/2/auth/login', {
      body: { username: 'admin', password: adminPassword },
    })
    for (const [target, routeKey] of first) {
      const [method = '', path = ''] = routeKey === '$default' ? ['GET', '/'] : routeKey.split(' ')
      const answer = await call(method, path.replaceAll(/\{\w+\}/g, '1'), { bearer: body.session_key })
      expect(answer.headers.get('x-request-id'), target).toBeTruthy()
      expect([500, 502, 503], `${target}: ${answer.text}`).not.toContain(answer.status)
    }
    const setUp = functionId('FirstAdmin')
    expect([...first.keys(), setUp].sort()).toEqual(
      resourcesOf(synthesis.template, 'AWS::Lambda::Function')
        .map(([id]) => id)
        .sort(),
    )
  })

  it('asked for nothing that its roles don’t allow', () => {
    expect(deployment.denials).toEqual([])
  })
})
