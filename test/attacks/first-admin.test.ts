import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createFirstAdminJob } from '../../lib/features/directory/users/first-admin.job.ts'
import { adminsKey } from '../../lib/kernel/table/keys/keys.ts'
import { startStub } from '../infra/stub-server.ts'
import { readMailed } from '../support/deliver-mail.ts'
import { acceptInvitation, findInvitation } from '../support/invitations.ts'
import { useService } from '../support/use-service.ts'

/*
 * The link of the first administrator is worth the whole service. Strangers try it twice and late, and those who may change the
 * template, but nothing else, try to invite themselves.
 */

const service = await useService()
const [ada, mallory] = ['ada@example.com', 'mallory@example.com']
const password = 'violin harbor mustard tent'

let outcomes: Awaited<ReturnType<typeof startStub>>
const responses: { readonly Status: string; readonly Reason: string }[] = []
beforeAll(async () => {
  outcomes = await startStub(({ body }) => {
    responses.push(JSON.parse(body))
    return { status: 200 }
  })
})
afterAll(() => outcomes.close())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

/** Plays an event of CloudFormation to the function, as a template with this address configures it. */
const deploy = async (email: string, RequestType: 'Create' | 'Update' | 'Delete') => {
  vi.stubEnv('ADMIN_EMAIL', email)
  await createFirstAdminJob(() => service.services)({
    ...{ RequestType, RequestId: RequestType, ResponseURL: outcomes.url, StackId: 'stack' },
    ...{ LogicalResourceId: 'FirstAdmin', PhysicalResourceId: 'first-admin' },
    ...{ ResourceType: 'Custom::LatchkeyFirstAdmin', ServiceToken: 'arn', ResourceProperties: {} },
  } as CloudFormationCustomResourceEvent)
  return responses.at(-1)
}
const findAdmins = async () => {
  const ids = (await service.services.table.get(adminsKey))?.['ids']
  return ids instanceof Set ? [...ids] : []
}

describe('the link of the first administrator', () => {
  let token = ''
  beforeAll(async () => {
    await Promise.all(Array.from({ length: 20 }, () => deploy(ada, 'Create')))
    token = await readMailed(service, ada, 'token')
  })

  it('is sent once by 20 concurrent deployments', () => {
    expect(responses.map(({ Status }) => Status)).toEqual(Array(20).fill('SUCCESS'))
    expect(responses.filter(({ Reason }) => Reason === 'The user admin was created.')).toHaveLength(1)
    expect(service.mailbox.mailsTo(ada)).toHaveLength(1)
  })

  it('is in no answer to CloudFormation and in no log', () => {
    expect(JSON.stringify(responses)).not.toContain(token)
    expect(service.log.join('\n')).not.toContain(token)
  })

  it('does not go to another address, if the template gets one before it is used', async () => {
    expect(await deploy(mallory, 'Update')).toMatchObject({ Reason: 'The user admin already exists.' })
    expect(await deploy(mallory, 'Create')).toMatchObject({ Reason: 'The user admin already exists.' })
    expect((await findInvitation(service, token)).body.email).toBe(ada)
  })

  it('opens nothing before: neither a password, nor a reset, nor a code', async () => {
    for (const guess of ['', 'admin', 'undefined', password])
      expect(
        (await service.client('POST', '/api/2/auth/login', { body: { username: 'admin', password: guess } }))
          .status,
      ).not.toBe(200)
    await service.client('POST', '/api/2/auth/reset-password/request', { body: { username: 'admin' } })
    expect(
      service.mailbox
        .mailsTo(ada)
        .map(({ text }) => text)
        .join(),
    ).not.toContain('/reset#')
  })

  it('does not work after seven days', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 + 1000 })
    expect((await findInvitation(service, token)).status).toBe(400)
    expect((await acceptInvitation(service, token, password)).status).toBe(400)
  })

  it('works once, also if 20 people use it at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => acceptInvitation(service, token, `${password} ${at}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await acceptInvitation(service, token, password)).status).toBe(400)
    const bearer = answers.find(({ status }) => status === 200)?.body.session_key
    const me = await service.client('GET', '/api/2/users/me', { bearer })
    expect(me.body).toMatchObject({ username: 'admin', effective_permissions: ['system:admin-access'] })
  })

  it('has no successor, whatever the template says afterwards', async () => {
    const before = await findAdmins()
    expect(before).toHaveLength(1)
    for (const type of ['Update', 'Create', 'Delete', 'Create'] as const)
      expect(await deploy(mallory, type)).toMatchObject({ Status: 'SUCCESS' })
    expect(await findAdmins()).toEqual(before)
    expect(service.mailbox.mailsTo(mallory)).toEqual([])
    expect(service.mailbox.mailsTo(ada).filter(({ text }) => text.includes('/invite#'))).toHaveLength(1)
  })
})
