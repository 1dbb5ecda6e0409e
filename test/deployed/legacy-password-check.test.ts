import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createServices } from '../../lib/services.ts'
import { type Deployment, deploy } from '../infra/deployment.ts'
import { oldSystemArn, resourcesOf, shareSynthesis } from '../infra/synthesis.ts'
import { type DeployedService, startDeployedService } from '../runner/deployed-service.ts'
import { clientOf } from '../support/client.ts'
import { addPerson, type Person } from '../support/people.ts'

/* The function `sessions` may invoke the function of the setting, and no other. */

/** Starting a service leads the variable to its own endpoint. */
const engine = process.env['DYNAMODB_ENDPOINT'] ?? ''
const marked = { passwordHash: null, legacySignIn: { username: 'ada', email: null } }
const signIn = (client: DeployedService['client'], { user, password }: Person) =>
  client('POST', '/api/2/auth/login', { body: { username: user.username, password } })

describe('the function of the setting', () => {
  let service: DeployedService
  beforeAll(async () => {
    service = await startDeployedService({}, {})
  })
  afterAll(() => service.close())

  it('is invoked once for the first sign-in', async () => {
    const { lambda } = service.deployment
    const [person, other] = [await addPerson(service, marked), await addPerson(service, marked)]
    lambda.behave(({ payload }) => ({
      status: 200,
      body: JSON.stringify({ is_correct: payload.password === person.password }),
    }))
    expect((await signIn(service.client, person)).status).toBe(200)
    expect((await signIn(service.client, person)).status).toBe(200)
    expect((await signIn(service.client, other)).status).toBe(401)
    expect(lambda.invocations).toHaveLength(2)
    expect(lambda.invocations[0]).toEqual({
      arn: oldSystemArn,
      payload: { username: 'ada', email: null, password: person.password },
    })
  })

  it('that fails lets no one in', async () => {
    const { lambda } = service.deployment
    const person = await addPerson(service, marked)
    for (const status of [400, 403, 404, 429, 500]) {
      lambda.behave(() => ({ status, body: '{"is_correct": true}' }))
      const { body, ...answer } = await signIn(service.client, person)
      expect([answer.status, body.reason]).toEqual([503, 'password_check_failed'])
    }
  })
})

describe('another function', () => {
  let deployment: Deployment | undefined
  afterEach(() => deployment?.close())

  it.each([
    ['of another name', `${oldSystemArn}-2`],
    ['of another account', oldSystemArn.replace('000000000000', '111111111111')],
    ['of another region', oldSystemArn.replace(':local:', ':eu-west-1:')],
    ['in another version', `${oldSystemArn}:1`],
  ])('%s is refused', async (_, arn) => {
    const synthesis = await shareSynthesis('service')
    deployment = await deploy(synthesis, engine, {
      settingsFor: () => ({ PASSWORD_COST: '4', LEGACY_PASSWORD_CHECK: arn }),
    })
    deployment.lambda.behave(() => ({ status: 200, body: '{"is_correct": true}' }))
    const services = createServices({
      ...process.env,
      DYNAMODB_ENDPOINT: engine,
      PUBLIC_URL: deployment.url,
      PASSWORD_COST: '4',
      TABLE_NAME: deployment.tableName,
    })
    const person = await addPerson({ services } as DeployedService, marked)
    const answer = await signIn(clientOf(deployment.url), person)
    expect([answer.status, answer.body.reason]).toEqual([503, 'password_check_failed'])
    const [[sessions] = []] = resourcesOf(synthesis.template, 'AWS::Lambda::Function').filter(([id]) =>
      id.startsWith('AuthSessionsFunction'),
    )
    expect(deployment.takeDenials()).toEqual([`${sessions} lambda:InvokeFunction ${arn}`])
    expect(deployment.lambda.invocations).toEqual([])
  })
})

it('no other role may invoke a function of the operator', async () => {
  const { template } = await shareSynthesis('service')
  const roles = resourcesOf(template, 'AWS::IAM::Role').filter(([, role]) =>
    JSON.stringify(role).includes(oldSystemArn),
  )
  expect(roles.map(([id]) => id)).toEqual([expect.stringMatching(/^AuthSessionsRole/)])
})
