import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientOf } from '../support/client.ts'
import { adminPassword, type Deployment, deploy } from './deployment.ts'
import { shareSynthesis } from './synthesis.ts'

/* Runs the stack without any setting, as a first deployment into a region without SES creates it. */

let deployment: Deployment

beforeAll(async () => {
  deployment = await deploy(await shareSynthesis('default'), process.env['DYNAMODB_ENDPOINT'] ?? '')
})
afterAll(async () => {
  await deployment?.close()
})

it('signs users in without a sender of emails', async () => {
  const firstAdmin = [...deployment.functions].find(([id]) => id.startsWith('AuthFirstAdmin'))?.[1]
  await firstAdmin?.invoke({
    RequestType: 'Create',
    ResponseURL: deployment.responseUrl,
    StackId: 'stack',
    RequestId: 'Create',
    LogicalResourceId: 'FirstAdmin',
  })
  const call = clientOf(deployment.url)
  const body = { username: 'admin', password: adminPassword }
  const signIn = await call('POST', '/api/2/auth/login', { body })
  expect(signIn.status).toBe(200)
  const me = await call('GET', '/api/2/users/me', { bearer: signIn.body.session_key })
  expect(me).toMatchObject({ status: 200, body: { username: 'admin' } })
  expect((await call('POST', '/api/2/auth/logout', { bearer: signIn.body.session_key })).status).toBe(204)
  expect(deployment.takeDenials()).toEqual([])
  expect(deployment.mails).toEqual([])
})
