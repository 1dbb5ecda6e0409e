import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { type Key, userKey } from '../../lib/kernel/table/keys/keys.ts'
import { openTable } from '../../lib/kernel/table/open-table.ts'
import { createRouter } from '../../local/gateway/routes.ts'
import { routesOf } from '../runner/template-routes.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { type Answer, clientOf, type RequestOptions } from '../support/client.ts'
import { bounceMessage, snsEvent } from '../support/ses-events.ts'
import { adminPassword, type Deployment, deploy } from './deployment.ts'
import { startFunction } from './lambda.ts'
import { resourcesOf, type Synthesis, shareSynthesis } from './synthesis.ts'

/*
 * Runs what the synthesized template would deploy: the bundles of the functions with their environment, their routes
 * and the permissions of their roles.
 */

let synthesis: Synthesis
let deployment: Deployment
const call = (method: string, path: string, options?: RequestOptions): Promise<Answer> =>
  clientOf(deployment.url)(method, path, options)

beforeAll(async () => {
  synthesis = await shareSynthesis('full')
  deployment = await deploy(synthesis, process.env['DYNAMODB_ENDPOINT'] ?? '')
})
afterAll(async () => {
  await deployment?.close()
})

// A test fails if one of its functions makes a call that its role does not allow.
afterEach(() => expect(deployment.takeDenials()).toEqual([]))

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

describe('the roles of functions', () => {
  it('deny and report table calls that they do not allow', async () => {
    const caller = functionId('FirstAdmin')
    const answer = await fetch(deployment.tableEndpoint, {
      method: 'POST',
      headers: {
        'x-amz-target': 'DynamoDB_20120810.Scan',
        authorization: `AWS4-HMAC-SHA256 Credential=${caller}/20260101/local/dynamodb/aws4_request`,
      },
      body: JSON.stringify({ TableName: deployment.tableName }),
    })
    expect(await answer.text()).toContain('AccessDeniedException')
    expect(deployment.takeDenials()).toEqual([expect.stringContaining(`${caller} dynamodb:Scan`)])
  })
})

describe('the audit chain', () => {
  it('is signed with the key that only its function may use', async () => {
    const chain = deployment.functions.get(functionId('AuditChain'))
    await chain?.invoke({})
    const [, checkpoint] =
      /"event":"audit.checkpoint","checkpoint":"(1:[^"]+)"/.exec(chain?.log() ?? '') ?? []
    expect(checkpoint).toMatch(/^1:[\w-]{43}$/)
    await chain?.invoke({})
    expect(chain?.log().match(/audit\.checkpoint/g)).toHaveLength(1)
  })

  it('is copied to the bucket', () => {
    const [[name = '', content = Buffer.alloc(0)] = []] = [...deployment.objects]
    expect(name).toMatch(/^AuthAuditArchive\w+\/\d{4}\/\d\d\/\d\d\/checkpoint-000000001-end\.jsonl\.gz$/)
    expect(JSON.parse(gunzipSync(content).toString())).toMatchObject({ pk: 'audit-checkpoints', number: 1 })
    expect(deployment.objects.size).toBe(1)
  })
})

describe('the signing keys', () => {
  it('are created with the stack, encrypted by KMS, and sign JWTs at once', async () => {
    const event = { ...customResourceEvent('Create'), LogicalResourceId: 'FirstSigningKey' }
    await deployment.functions.get(functionId('SigningKeys'))?.invoke(event)
    expect(deployment.responses.at(-1)).toMatchObject({
      Status: 'SUCCESS',
      LogicalResourceId: 'FirstSigningKey',
      PhysicalResourceId: 'signing-keys',
    })
    expect((await call('GET', '/.well-known/jwks.json')).body.keys).toHaveLength(2)
  })
})

describe('the first administrator', () => {
  it('is created with the stack, with the password from the secret', async () => {
    expect(await outcomeOf('Create')).toEqual({
      Status: 'SUCCESS',
      Reason: 'The user admin was created.',
      StackId: 'stack',
      RequestId: 'Create',
      LogicalResourceId: 'FirstAdmin',
      PhysicalResourceId: 'first-admin',
    })
  })

  it('is created once', async () => {
    expect(await outcomeOf('Update')).toMatchObject({
      Status: 'SUCCESS',
      Reason: 'The user admin already exists.',
    })
  })

  it('stays when the stack is deleted', async () => {
    expect(await outcomeOf('Delete')).toMatchObject({ Status: 'SUCCESS' })
  })

  it('reports a failure to CloudFormation with a reason', async () => {
    const code = synthesis.assetOf(functionId('FirstAdmin'))
    const misconfigured = await startFunction(code, { ADMIN_PASSWORD_SECRET: 'secret' })
    await misconfigured.invoke(customResourceEvent('Create'))
    await misconfigured.stop()
    expect(deployment.responses.at(-1)).toMatchObject({
      Status: 'FAILED',
      Reason: 'The user admin could not be created (Error). See the log of this function.',
    })
    expect(misconfigured.log()).toContain('TABLE_NAME is missing')
  })

  it('keeps the password out of responses and logs', () => {
    expect(JSON.stringify(deployment.responses)).not.toContain(adminPassword)
    expect(deployment.functions.get(functionId('FirstAdmin'))?.log()).not.toContain(adminPassword)
  })
})

describe('the deployed service', () => {
  let bearer: string

  it('signs the administrator in', async () => {
    const { status, body } = await call('POST', '/api/2/auth/login', {
      body: { username: 'admin', password: adminPassword },
    })
    expect(status).toBe(200)
    bearer = body.session_key
  })

  it('sends links by SES, and stops after a bounce that arrives through SNS', async () => {
    const { body: link } = await call('POST', '/api/2/auth/access-tokens', {
      bearer,
      body: { email: 'ann@example.com', bundles: [{ id: 1, name: 'A bundle', root: 1, path: '/' }] },
    })
    const path = `/api/2/auth/access-tokens/${link.id}/email`
    const sent = await call('POST', path, { bearer, body: { text: 'Hello Ann' } })
    expect({ status: sent.status, text: sent.text }).toEqual({ status: 204, text: '' })
    const from = 'Example <no-reply@mail.example.com>'
    expect(deployment.mails).toMatchObject([{ to: 'ann@example.com', from }])
    const mailEvents = deployment.functions.get(functionId('MailEvents'))
    expect(await mailEvents?.invoke(snsEvent('junk', bounceMessage({ to: 'ann@example.com' })))).toBeNull()
    expect(mailEvents?.log()).toContain('"MailBounced":1')
    expect((await call('POST', path, { bearer, body: { text: 'Hello again' } })).status).toBe(409)
    expect(deployment.mails).toHaveLength(1)
  })

  it('answers unknown paths with 404 and other methods with 405', async () => {
    expect(await call('GET', '/api/2/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    const wrongMethod = await call('DELETE', '/api/2/auth/login')
    expect(wrongMethod).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    expect(wrongMethod.headers.get('allow')).toBe('POST')
  })

  it('forwards all audit events of these tests to the bus, and no other item', async () => {
    const { tableName, eventBridge } = deployment
    const table = openTable({ tableName, endpoint: process.env['DYNAMODB_ENDPOINT'] })
    const stored = await readAuditItems(table)
    expect(stored.length).toBeGreaterThan(0)
    const forward = deployment.functions.get(functionId('AuditForward'))
    const deliver = (...keys: readonly Key[]) =>
      forward?.invoke({
        Records: keys.map(({ pk, sk }) => ({
          eventName: 'INSERT',
          dynamodb: { SequenceNumber: sk, Keys: { pk: { S: pk }, sk: { S: sk } } },
        })),
      })
    expect(await deliver(...stored)).toEqual({ batchItemFailures: [] })
    expect(eventBridge.events.map(({ Detail }) => JSON.parse(Detail).record.sk.S)).toEqual(
      stored.map(({ sk }) => sk),
    )
    await expect(deliver(userKey(1))).rejects.toThrow('not authorized')
    expect(deployment.takeDenials()).toEqual([expect.stringContaining('dynamodb:BatchGetItem')])
    expect(eventBridge.events).toHaveLength(stored.length)
  })

  it('calls every function', async () => {
    const routes = routesOf(synthesis)
    const find = createRouter(routes.filter(({ routeKey }) => routeKey !== '$default'))
    const unmatched = routes.find(({ routeKey }) => routeKey === '$default')?.target ?? ''
    const requests = operations.map(({ method, path }) => [method, path.replaceAll(/\{\w+\}/g, '1')] as const)
    const first = new Map([
      ...requests.toReversed().map((request) => [find(...request).target, request] as const),
      [unmatched, ['GET', '/unknown']] as const,
    ])
    const { body } = await call('POST', '/api/2/auth/login', {
      body: { username: 'admin', password: adminPassword },
    })
    for (const [target, [method, path]] of first) {
      const answer = await call(method, path, { bearer: body.session_key })
      expect(answer.headers.get('x-request-id'), target).toBeTruthy()
      expect([500, 502, 503], `${target}: ${answer.text}`).not.toContain(answer.status)
    }
    // Called by CloudFormation and its URL, by the table's stream, by topics, schedules and events, and by the APIs of products.
    const others = [
      'FirstAdmin',
      'Mailer',
      'MailEvents',
      'AccountDeletion',
      'ConnectionRefresh',
      'SigningKeys',
      'AuditChain',
      'AuditForward',
      'Authorizer',
      'BackchannelLogout',
      'Config',
      'ConfigProduct',
    ].map(functionId)
    expect([...first.keys(), ...others].sort()).toEqual(
      resourcesOf(synthesis.template, 'AWS::Lambda::Function')
        .map(([id]) => id)
        .sort(),
    )
  })
})
