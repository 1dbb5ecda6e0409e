import { afterAll, describe, expect, it } from 'vitest'
import { accessLogFields } from '../../infra/api.ts'
import { type FunctionName, grants } from '../../infra/functions.ts'
import { routeKey } from '../../lib/contract/operation.ts'
import { operations } from '../../lib/contract/operations.ts'
import { tableDefinition } from '../../lib/store/definition.ts'
import type { JsonValue } from '../support/client.ts'
import { factsOf, routesOf } from './deployment.ts'
import { statementsOf } from './policies.ts'
import { resourcesOf, synthesise } from './synthesis.ts'

const plain = synthesise()
const furnished = synthesise(
  {
    allowedOrigins: 'https://product.example.com, https://other.example.com',
    signInUrl: 'https://product.example.com/sign-in',
    domainName: 'auth.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:000000000000:certificate/1',
    alarmEmail: 'ops@example.com',
  },
  plain.outdir,
)
afterAll(plain.remove)

const { template } = plain
const facts = factsOf(template, 'the-table')
const functions = new Map(
  resourcesOf(template, 'AWS::Lambda::Function').map(([id, { Properties }]) => [
    Properties.Description.replace('Latchkey: ', '') as string,
    { id, ...Properties } as JsonValue,
  ]),
)
const only = (type: string, from = template): JsonValue => {
  const [[, resource] = [], ...others] = resourcesOf(from, type)
  if (!resource || others.length > 0) throw new Error(`there is not one ${type}`)
  return { ...resource.Properties, DeletionPolicy: resource.DeletionPolicy }
}

describe('the API', () => {
  it('has a route for each operation, to the function of its group, and one for the rest', () => {
    const expected = operations.map((operation) => [routeKey(operation), operation.group])
    const found = routesOf(template).map(({ routeKey: key, target }) => [
      key,
      [...functions].find(([, { id }]) => id === target)?.[0],
    ])
    expect(found.sort()).toEqual([...expected, ['$default', 'unmatched']].sort())
  })

  it('limits the load and logs each request without path, query or header', () => {
    const stage = only('AWS::ApiGatewayV2::Stage')
    expect(stage.StageName).toBe('$default')
    expect(stage.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1000 })
    const logged = Object.values(JSON.parse(stage.AccessLogSettings.Format))
    expect(logged).toEqual(Object.values(accessLogFields))
    expect(logged.join(' ')).not.toMatch(/path|query|header|userAgent|authorizer/i)
  })

  it('lets pages of the allowed origins call it, without cookies, and nobody else’s', () => {
    expect(only('AWS::ApiGatewayV2::Api')).not.toHaveProperty('CorsConfiguration')
    expect(only('AWS::ApiGatewayV2::Api', furnished.template).CorsConfiguration).toEqual({
      AllowOrigins: ['https://product.example.com', 'https://other.example.com'],
      AllowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      AllowHeaders: ['authorization', 'content-type'],
      ExposeHeaders: ['Link', 'Location', 'X-Request-Id', 'Retry-After'],
      MaxAge: 3600,
    })
  })

  it('has one address alone: its domain when it has one', () => {
    expect(only('AWS::ApiGatewayV2::Api').DisableExecuteApiEndpoint).toBe(false)
    expect(only('AWS::ApiGatewayV2::Api', furnished.template).DisableExecuteApiEndpoint).toBe(true)
    expect(only('AWS::ApiGatewayV2::DomainName', furnished.template).DomainName).toBe('auth.example.com')
    const environments = resourcesOf(furnished.template, 'AWS::Lambda::Function').map(
      ([, { Properties }]) => Properties.Environment.Variables,
    )
    for (const environment of environments)
      expect(environment).toMatchObject({
        PUBLIC_URL: 'https://auth.example.com',
        ALLOWED_ORIGINS: 'https://product.example.com,https://other.example.com',
        SIGN_IN_URL: 'https://product.example.com/sign-in',
      })
  })

  it.each([
    { publicUrl: 'http://auth.example.com' },
    { publicUrl: 'https://auth.example.com/' },
    { allowedOrigins: 'https://product.example.com/page' },
    { allowedOrigins: '*' },
    { domainName: 'auth.example.com' },
  ])('refuses settings that would not work: %j', (settings) => {
    expect(() => synthesise(settings as Record<string, string>)).toThrow(/https origin|belong together/)
  })
})

describe('the functions', () => {
  it('are those that the grants name', () => {
    expect([...functions.keys()].sort()).toEqual(Object.keys(grants).sort())
  })

  it.each(Object.entries(grants))(
    '%s may do with the table what its grant says, and nothing else',
    (name, grant) => {
      const allowed = statementsOf(template, functions.get(name)?.id, facts).flatMap(
        ({ actions, resources }) =>
          resources.flatMap((resource) => actions.map((action) => `${action} ${resource}`)),
      )
      const arn = facts[`${resourcesOf(template, 'AWS::DynamoDB::Table')[0]?.[0]}.Arn`]
      expect(allowed.filter((permission) => permission.startsWith('dynamodb:')).sort()).toEqual(
        [
          ...grant.table.map((action) => `dynamodb:${action} ${arn}`),
          ...(grant.index ?? []).map((action) => `dynamodb:${action} ${arn}/index/listing`),
        ].sort(),
      )
      expect(allowed.join(' ')).not.toMatch(/\*|Scan|PartiQL/)
      const services = new Set(allowed.map((permission) => permission.split(':')[0]))
      const expected = new Set(['logs', ...(grant.table.length > 0 ? ['dynamodb', 'kms'] : [])])
      expect(services).toEqual(name === 'first-admin' ? expected.add('secretsmanager') : expected)
    },
  )

  it('use the key through DynamoDB and Secrets Manager alone', () => {
    const statements = [...functions.values()].flatMap(({ id }) => statementsOf(template, id, facts))
    const onKey = statements.filter(({ actions }) => actions.some((action) => action.startsWith('kms:')))
    const via = onKey.map(({ conditions }) => conditions['StringEquals kms:ViaService'])
    expect(new Set(via)).toEqual(
      new Set(['dynamodb.local.amazonaws.com', 'secretsmanager.local.amazonaws.com']),
    )
  })

  it('run on the version and processor that they are built and tested for', () => {
    for (const [name, properties] of functions) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        Timeout: name === 'first-admin' ? 60 : 15,
      })
      expect(properties).not.toHaveProperty('VpcConfig')
      expect(properties).not.toHaveProperty('ReservedConcurrentExecutions')
    }
  })

  it('have a whole processor where they hash passwords', () => {
    const whole = [...functions].flatMap(([name, { MemorySize }]) => (MemorySize >= 1769 ? [name] : []))
    const hashing: FunctionName[] = ['sessions', 'passwords', 'users', 'first-admin']
    expect(whole.sort()).toEqual(hashing.sort())
  })

  it('keep their logs for 90 days', () => {
    const logGroups = resourcesOf(template, 'AWS::Logs::LogGroup')
    expect(logGroups).toHaveLength(functions.size + 1)
    for (const [, { Properties }] of logGroups) expect(Properties.RetentionInDays).toBe(90)
  })
})

describe('the table', () => {
  const table = only('AWS::DynamoDB::Table')
  const { partitionKey, sortKey, ttlAttribute, listing } = tableDefinition
  const keys = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ]

  it('has the keys and the index that local mode has', () => {
    expect(table.KeySchema).toEqual(keys(partitionKey, sortKey))
    expect(table.GlobalSecondaryIndexes).toEqual([
      {
        IndexName: listing.indexName,
        KeySchema: keys(listing.partitionKey, listing.sortKey),
        Projection: { ProjectionType: listing.projection },
      },
    ])
    expect(table.TimeToLiveSpecification).toEqual({ AttributeName: ttlAttribute, Enabled: true })
  })

  it('is encrypted, restorable and not to be lost with the stack', () => {
    expect(table.SSESpecification).toMatchObject({ SSEEnabled: true, SSEType: 'KMS' })
    expect(only('AWS::KMS::Key')).toMatchObject({ EnableKeyRotation: true, DeletionPolicy: 'Retain' })
    expect(table).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      DeletionPolicy: 'Retain',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
    })
  })
})

describe('what is there besides', () => {
  it('makes the first administrator from a generated secret, and doesn’t wait an hour for it', () => {
    expect(only('AWS::SecretsManager::Secret')).toMatchObject({
      GenerateSecretString: { PasswordLength: 32, ExcludePunctuation: true },
      KmsKeyId: expect.anything(),
      DeletionPolicy: 'Retain',
    })
    expect(only('Custom::LatchkeyFirstAdmin').ServiceTimeout).toBe('300')
  })

  it('tells where the service is and where the administrator’s password lies', () => {
    const outputs = JSON.stringify(template.Outputs)
    expect(outputs).toContain('ApiEndpoint')
    expect(outputs).toContain('aws secretsmanager get-secret-value --secret-id ')
  })

  it('has alarms for the API, each function and the table, sent by e-mail when there is an address', () => {
    const alarms = resourcesOf(furnished.template, 'AWS::CloudWatch::Alarm')
    expect(alarms).toHaveLength(1 + 2 * (functions.size - 1) + 2)
    for (const [, { Properties }] of alarms) expect(Properties.AlarmActions).toHaveLength(1)
    expect(only('AWS::SNS::Subscription', furnished.template)).toMatchObject({
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    })
    for (const [, { Properties }] of resourcesOf(template, 'AWS::CloudWatch::Alarm'))
      expect(Properties).not.toHaveProperty('AlarmActions')
  })

  it('leaves no rule of AwsSolutions broken without a reason', () => {
    for (const { messages } of [plain, furnished]) expect(messages).toEqual([])
    const suppressed = JSON.stringify(furnished.template).match(/AwsSolutions-\w+/g)
    expect(new Set(suppressed)).toEqual(new Set(['AwsSolutions-APIG4', 'AwsSolutions-SMG4']))
  })
})
