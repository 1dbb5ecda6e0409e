import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '../../local/ports.ts'
import { type StubAnswer, type StubRequest, startStub } from '../infra/stub-server.ts'
import { type ExampleProduct, installExample } from './example-product.ts'
import { runOrFail, terminalEnvironment } from './project.ts'

/* The functions of the example, in front of stubs of Cognito and of an old system. */

let example: ExampleProduct
let old: Awaited<ReturnType<typeof startStub>>
let answer: (request: StubRequest) => StubAnswer
let requests: StubRequest[] = []
let running: ChildProcess | undefined
beforeAll(async () => {
  example = await installExample('legacy-password-check', {})
  old = await startStub((request) => {
    requests.push(request)
    return answer(request)
  })
}, 120_000)
afterEach(async () => {
  requests = []
  if (running?.pid === undefined) return
  process.kill(-running.pid, 'SIGINT')
  await once(running, 'close')
  running = undefined
})
afterAll(async () => {
  await old.close()
  example.remove()
})

const question = { username: 'ada', email: null, password: 'a password', external_id: 'sub-1' }

/** Runs a function, and returns what sends it a question. */
const start = async (check: 'cognito' | 'http-endpoint') => {
  const port = await findFreePort()
  const child = spawn('npm', ['start'], {
    cwd: example.folder,
    detached: true,
    env: {
      ...terminalEnvironment(),
      ...{ CHECK: check, PORT: String(port), OLD_SIGN_IN_URL: `${old.url}/login` },
      ...{ USER_POOL_ID: 'eu-central-1_pool', CLIENT_ID: 'client', AWS_REGION: 'eu-central-1' },
      ...{ AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: old.url,
    },
  })
  running = child
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => text.includes('ready ') && resolve())
    child.once('close', () => reject(new Error('the function ended')))
  })
  return async (fields: object = {}) => {
    const body = JSON.stringify({ ...question, ...fields })
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
    return response.status === 200 ? await response.json() : response.status
  }
}

it('the example has the right types', () => runOrFail(['npm', 'run', 'types'], { cwd: example.folder }))

describe('the function for Cognito', () => {
  const refusal = (type: string, message = '') => ({
    status: 400,
    body: JSON.stringify({ __type: type, message }),
  })

  it('says yes, no, or that it does not know', async () => {
    const ask = await start('cognito')
    const cases: readonly (readonly [StubAnswer, unknown])[] = [
      [{ status: 200, body: '{"AuthenticationResult":{"AccessToken":"x"}}' }, { is_correct: true }],
      [{ status: 200, body: '{"ChallengeName":"SOFTWARE_TOKEN_MFA","Session":"x"}' }, { is_correct: true }],
      [{ status: 200, body: '{"ChallengeName":"NEW_PASSWORD_REQUIRED"}' }, { is_correct: false }],
      [{ status: 200, body: '{"ChallengeName":"CUSTOM_CHALLENGE"}' }, { is_correct: false }],
      [{ status: 200, body: '{}' }, { is_correct: false }],
      [refusal('NotAuthorizedException', 'Incorrect username or password.'), { is_correct: false }],
      [refusal('NotAuthorizedException', 'Password attempts exceeded'), 500],
      [refusal('NotAuthorizedException', 'Unable to verify secret hash for client client'), 500],
      [refusal('UserNotFoundException'), { is_correct: false }],
      [refusal('PasswordResetRequiredException'), { is_correct: false }],
      [refusal('TooManyRequestsException'), 500],
      [refusal('AccessDeniedException'), 500],
      [{ status: 500 }, 500],
    ]
    for (const [said, expected] of cases) {
      answer = () => said
      expect(await ask(), JSON.stringify(said)).toEqual(expected)
    }
    expect(requests).toHaveLength(cases.length)
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      ...{ UserPoolId: 'eu-central-1_pool', ClientId: 'client', AuthFlow: 'ADMIN_USER_PASSWORD_AUTH' },
      AuthParameters: { USERNAME: 'sub-1', PASSWORD: 'a password' },
    })
    expect(await ask({ password: 'x'.repeat(257) })).toEqual({ is_correct: false })
    expect(requests).toHaveLength(cases.length)
  })
})

describe('the function for an endpoint', () => {
  it('says yes, no, or that it does not know', async () => {
    const ask = await start('http-endpoint')
    for (const [status, expected] of [
      [200, { is_correct: true }],
      [401, { is_correct: false }],
      ...[204, 302, 403, 404, 429, 500].map((other) => [other, 500] as const),
    ] as const) {
      answer = () => ({ status })
      expect(await ask(), String(status)).toEqual(expected)
    }
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ login: 'ada', password: 'a password' })
  })
})
