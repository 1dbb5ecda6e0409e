import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, Stack } from 'aws-cdk-lib'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { afterAll, describe, expect, it } from 'vitest'
import { createApp } from '../../infra/app.ts'
import { AuthService } from '../../infra/auth-service.ts'
import { listIndexGrants } from '../../infra/grants/grant-parts.ts'
import { grants } from '../../infra/grants/grants.ts'
import { accessLogFields } from '../../infra/parts/api.ts'
import { invokedAlias, urlAlias } from '../../lib/features/configuration/door.models.ts'
import { operations } from '../../lib/features/operations.ts'
import type { FunctionName } from '../../lib/kernel/contract/group.ts'
import { listMethods } from '../../lib/kernel/contract/operation.ts'
import { auditPartition } from '../../lib/kernel/table/keys/audit-keys.ts'
import { auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import { tableDefinition } from '../../lib/kernel/table/table.ts'
import { createRouter } from '../../local/gateway/routes.ts'
import { factsOf } from '../runner/template-facts.ts'
import { routesOf } from '../runner/template-routes.ts'
import type { JsonValue } from '../support/client.ts'
import { resolve } from './intrinsics.ts'
import { allows, statementsOf } from './policies.ts'
import { shareBundles } from './shared-bundles.ts'
import {
  findMessages,
  readNested,
  resourcesOf,
  shareSynthesis,
  stackSettings,
  type Template,
} from './synthesis.ts'

const plain = await shareSynthesis('default')
const full = await shareSynthesis('full')
const { folder: bundleDir } = await shareBundles()
const outdir = mkdtempSync(join(tmpdir(), 'latchkey-stack-'))
afterAll(() => rmSync(outdir, { recursive: true }))

const { template } = plain
const facts = factsOf(template, 'the-table')
const functionsOf = (from: Template): ReadonlyMap<string, JsonValue> =>
  new Map(
    resourcesOf(from, 'AWS::Lambda::Function').map(([id, { Properties }]) => [
      Properties.Description.replace('Latchkey: ', ''),
      { id, ...Properties },
    ]),
  )
const functions = functionsOf(template)
/** Includes the functions that exist only with a sender of emails. */
const allFunctions = functionsOf(full.template)
const only = (type: string, from = template): JsonValue => {
  const [[, resource] = [], ...others] = resourcesOf(from, type)
  if (!resource || others.length > 0) throw new Error(`there is not one ${type}`)
  return { ...resource.Properties, DeletionPolicy: resource.DeletionPolicy }
}

describe('the API', () => {
  it('leads each operation to the function of its group, and all other requests to that of unknown paths', () => {
    const found = routesOf(plain)
    // API Gateway allows 300.
    expect(found.length).toBeLessThanOrEqual(160)
    const find = createRouter(found.filter(({ routeKey }) => routeKey !== '$default'))
    const idOf = (name: string) => functions.get(name)?.id
    for (const operation of operations)
      for (const method of [...listMethods(operation), 'OPTIONS']) {
        const path = operation.path.replaceAll(/\{\w+\}/g, '7')
        expect(find(method, path).target, `${method} ${path}`).toBe(idOf(operation.group))
      }
    expect(found.find(({ routeKey }) => routeKey === '$default')?.target).toBe(idOf('unmatched'))
  })

  it('limits the load and logs requests without path, query and headers', () => {
    const stage = only('AWS::ApiGatewayV2::Stage')
    expect(stage.StageName).toBe('$default')
    expect(stage.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 })
    const logged = Object.values(JSON.parse(stage.AccessLogSettings.Format))
    expect(logged).toEqual(Object.values(accessLogFields))
    expect(logged.join(' ')).not.toMatch(/path|query|header|userAgent|authorizer/i)
  })

  it('leaves it to the functions which pages of other origins may call it', () => {
    expect(only('AWS::ApiGatewayV2::Api', full.template)).not.toHaveProperty('CorsConfiguration')
  })

  it('has the address of its domain beside the URL of API Gateway', () => {
    expect(only('AWS::ApiGatewayV2::Api').DisableExecuteApiEndpoint).toBe(false)
    expect(only('AWS::ApiGatewayV2::Api', full.template).DisableExecuteApiEndpoint).toBe(false)
    expect(only('AWS::ApiGatewayV2::DomainName', full.template).DomainName).toBe('auth.example.com')
    const environments = resourcesOf(full.template, 'AWS::Lambda::Function').map(
      ([, { Properties }]) => Properties.Environment.Variables,
    )
    for (const environment of environments)
      expect(environment).toMatchObject({
        PUBLIC_URL: 'https://auth.example.com',
        ALLOWED_ORIGINS: 'https://product.example.com,https://other.example.com',
        SIGN_IN_URL: 'https://product.example.com/sign-in',
        BREACH_ENDPOINT: '',
        RATE_LIMITS: 'addressFailures=500/600',
      })
  })

  it('has a certificate and records for its domain if there is a hosted zone', () => {
    const context = {
      stackName: 'Zone',
      domain: { name: 'auth.example.com', hostedZone: { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' } },
    }
    const stack = createApp({ outdir, bundleDir, context }).synth().getStackByName('Zone')
    expect(findMessages(stack)).toEqual([])
    const [[certificateId, certificate] = []] = resourcesOf(
      stack.template,
      'AWS::CertificateManager::Certificate',
    )
    expect(certificate?.Properties).toMatchObject({
      DomainName: 'auth.example.com',
      ValidationMethod: 'DNS',
      DomainValidationOptions: [{ DomainName: 'auth.example.com', HostedZoneId: 'Z0123456789ABCDEFGHIJ' }],
    })
    const domain = resourcesOf(stack.template, 'AWS::ApiGatewayV2::DomainName')
    const [[domainId = '', { Properties: properties }] = ['', { Properties: {} }]] = domain
    expect(properties.DomainNameConfigurations).toMatchObject([
      { CertificateArn: { Ref: certificateId }, IpAddressType: 'dualstack' },
    ])
    const records = resourcesOf(stack.template, 'AWS::Route53::RecordSet').map(([, one]) => one.Properties)
    expect(records.map(({ Type }) => Type)).toEqual(['A', 'AAAA'])
    for (const record of records)
      expect(record).toMatchObject({
        Name: 'auth.example.com.',
        HostedZoneId: 'Z0123456789ABCDEFGHIJ',
        AliasTarget: {
          DNSName: { 'Fn::GetAtt': [domainId, 'RegionalDomainName'] },
          HostedZoneId: { 'Fn::GetAtt': [domainId, 'RegionalHostedZoneId'] },
        },
      })
    expect(JSON.stringify(stack.template.Outputs)).not.toContain('DomainTarget')
    expect(JSON.stringify(full.template)).not.toMatch(/Route53|CertificateManager|dualstack/)
  })

  it.each([
    { publicUrl: 'http://auth.example.com' },
    { publicUrl: 'https://auth.example.com/' },
    { allowedOrigins: 'https://product.example.com/page' },
    { allowedOrigins: '*' },
    { domain: { name: 'auth.example.com' } },
    { rateLimits: 'otpGuesses=0/300' },
    { mailFrom: 'example.com' },
    { signInUrl: 'javascript:alert(1)' },
    { signInUrl: 'http://product.example.com/' },
    { tracing: 'yes' },
    { hashingConcurrency: '0' },
    { publicUrl: 'https://auth.example.com', passkeyRpId: 'example.org' },
    { publicUrl: 'https://auth.example.com', passkeyOrigins: 'http://example.org' },
    { publicUrl: 'https://auth.example.com', passkeyTimeoutSeconds: '5' },
    { passkeyUserVerification: 'never' },
  ])('rejects invalid settings: %j', (settings) => {
    expect(() => createApp({ outdir, bundleDir, context: settings as Record<string, string> })).toThrow(
      /https origin|domain requires|rateLimits must set otpGuesses|mailFrom must be|signInUrl .* must be an https URL|tracing must be|hashingConcurrency must be|passkey\w+ must/,
    )
  })
})

describe('the settings', () => {
  it('can come from a file such as the example, which can be deployed', () => {
    const stack = createApp({ outdir, bundleDir, context: { stage: 'example' } })
      .synth()
      .getStackByName('LatchkeyExample')
    expect(only('AWS::ApiGatewayV2::DomainName', stack.template).DomainName).toBe('auth.example.com')
    expect(findMessages(stack)).toEqual([])
  })

  it('are checked at once', () => {
    const context = { publicURL: 'https://auth.example.com', breachEndpoint: 'foo', tracing: 'yes' }
    expect(() => createApp({ outdir, bundleDir, context })).toThrow(
      `The settings are invalid:
- "publicURL" is not a setting of the context. Did you mean publicUrl?
- tracing must be true or false.
- breachEndpoint must be an http(s) URL.`,
    )
  })

  it('are checked in a stack of your own, with its region', () => {
    const stack = new Stack(new App(), 'Product', { env: { region: 'eu-west-1', account: '111122223333' } })
    const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/example'
    const domain = { name: 'auth.example.com', certificateArn }
    expect(() => new AuthService(stack, 'Auth', { domain, breachEndpoint: 'foo' })).toThrow(
      /in us-east-1, but the stack is in eu-west-1.*\n- breachEndpoint must be/,
    )
  })
})

describe('the functions', () => {
  it('match the list of grants', () => {
    expect([...allFunctions.keys()].sort()).toEqual(Object.keys(grants).sort())
  })

  it.each(Object.entries(grants))('%s may use the table only as its grant states', (name, grant) => {
    const from = functions.has(name) ? template : full.template
    const id = allFunctions.get(name)?.id
    const tracing = from === template ? [] : ['xray:PutTelemetryRecords *', 'xray:PutTraceSegments *']
    const allowed = statementsOf(from, id, factsOf(from, 'the-table'))
      .flatMap(({ actions, resources }) =>
        resources.flatMap((resource) => actions.map((action) => `${action} ${resource}`)),
      )
      .filter((permission) => !tracing.includes(permission))
    const arn = facts[`${resourcesOf(template, 'AWS::DynamoDB::Table')[0]?.[0]}.Arn`]
    const isReader = ['mailer', 'audit-forward'].includes(name)
    const followsStream = isReader ? ['DescribeStream', 'GetRecords', 'GetShardIterator'] : []
    const listing = 'dynamodb:ListStreams *'
    expect(allowed.filter((permission) => permission.startsWith('dynamodb:')).sort()).toEqual(
      [
        ...Object.keys(grant.table).map((action) => `dynamodb:${action} ${arn}`),
        ...listIndexGrants(grant).map(([index]) => `dynamodb:Query ${arn}/index/${index}`),
        ...followsStream.map((action) => `dynamodb:${action} ${arn}/stream/1`),
        ...(isReader ? [listing] : []),
      ].sort(),
    )
    expect(allowed.filter((permission) => permission !== listing).join(' ')).not.toMatch(/\*|Scan|PartiQL/)
    const services = new Set(allowed.map((permission) => permission.split(':')[0]))
    const expected = new Set(['logs', ...(Object.keys(grant.table).length > 0 ? ['dynamodb', 'kms'] : [])])
    if (name === 'first-admin') expected.add('secretsmanager')
    if (isReader || name === 'mail-events') expected.add('sqs')
    if (name === 'audit-forward' || name === 'oidc') expected.add('events')
    expect(services).toEqual(expected)
  })

  it('use the key only through DynamoDB, Secrets Manager and SQS', () => {
    const statements = [...functions.values()].flatMap(({ id }) => statementsOf(template, id, facts))
    const [[keyId] = []] = resourcesOf(template, 'AWS::KMS::Key')
    const onKey = statements.filter(({ resources }) => resources.includes(facts[`${keyId}.Arn`] ?? ''))
    const via = onKey.map(({ conditions }) => conditions['StringEquals kms:ViaService'])
    expect(new Set(via)).toEqual(
      new Set(['dynamodb', 'secretsmanager', 'sqs'].map((service) => `${service}.local.amazonaws.com`)),
    )
  })

  it('use the vault key only for their purposes', () => {
    const [, [keyId] = []] = resourcesOf(template, 'AWS::KMS::Key')
    const arn = facts[`${keyId}.Arn`] ?? ''
    const using = [...functions].flatMap(([name, { id, Environment }]) => {
      const own = statementsOf(template, id, facts).filter(({ resources }) => resources.includes(arn))
      expect(JSON.stringify(Environment).includes('KMS_KEY_ID')).toBe(own.length > 0)
      return own.map(({ actions, conditions }) => [name, actions.join(' '), conditions])
    })
    const isTotp = { 'StringEquals kms:EncryptionContext:purpose': 'totp' }
    const isConnection = { 'StringEquals kms:EncryptionContext:purpose': 'connection' }
    const isSigningKey = { 'StringEquals kms:EncryptionContext:purpose': 'signing-key' }
    const isLink = { 'StringEquals kms:EncryptionContext:purpose': 'access_token' }
    const isHealth = { 'StringEquals kms:EncryptionContext:purpose': 'health' }
    const isProof = { 'StringEquals kms:EncryptionContext:purpose': 'proof_of_work' }
    expect(using.sort()).toEqual([
      ['access-links', 'kms:Decrypt kms:Encrypt', isLink],
      // It revokes tokens at Apple.
      ['backchannel-logout', 'kms:Decrypt', isConnection],
      ['backchannel-logout', 'kms:Decrypt', isSigningKey],
      ['config', 'kms:Encrypt', isConnection],
      ['connection-flow', 'kms:Decrypt kms:Encrypt', isConnection],
      ['connection-flow', 'kms:Decrypt kms:Encrypt', isProof],
      // A public provider does not replace the code of the second factor.
      ['connection-flow', 'kms:Decrypt', isTotp],
      ['connections', 'kms:Encrypt', isConnection],
      ['first-admin', 'kms:Decrypt kms:Encrypt', isHealth],
      ['health', 'kms:Decrypt kms:Encrypt', isHealth],
      // Those that email anyone, or that a network can close. The first of a month creates the key.
      ['invitations', 'kms:Decrypt kms:Encrypt', isProof],
      ['oidc', 'kms:Decrypt', isSigningKey],
      ['passkeys', 'kms:Decrypt kms:Encrypt', isProof],
      ['passwords', 'kms:Decrypt kms:Encrypt', isProof],
      ['passwords', 'kms:Decrypt', isTotp],
      ['sessions', 'kms:Decrypt kms:Encrypt', isProof],
      ['sessions', 'kms:Decrypt', isTotp],
      ['signing-keys', 'kms:Encrypt', isSigningKey],
      // An import stores keys of authenticator apps and never reads them.
      ['user-files', 'kms:Encrypt', isTotp],
      ['users', 'kms:Decrypt kms:Encrypt', isTotp],
      ['users', 'kms:Decrypt kms:Encrypt', isProof],
    ])
  })

  it('run on the Node version and architecture of their bundles', () => {
    const timeouts: Record<string, number> = {
      'account-deletion': 600,
      'connection-refresh': 600,
      'audit-chain': 300,
      'audit-forward': 60,
      authorizer: 10,
      'backchannel-logout': 60,
      config: 240,
      'config-product': 240,
      'first-admin': 60,
      'signing-keys': 60,
      mailer: 60,
    }
    for (const [name, properties] of functions) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        Timeout: timeouts[name] ?? 15,
      })
      expect(properties).not.toHaveProperty('VpcConfig')
      expect(properties).not.toHaveProperty('ReservedConcurrentExecutions')
    }
  })

  it('that configures the service has the only URL, which IAM guards and an alias tells apart', () => {
    const [config, ofProducts] = ['config', 'config-product'].map((name) => functions.get(name)?.id)
    const aliases = resourcesOf(template, 'AWS::Lambda::Alias')
    // In each region, one of them exists: see regions.test.ts.
    expect(aliases.map(([, { Properties }]) => Properties)).toMatchObject(
      [urlAlias, invokedAlias].map((Name) => ({ FunctionName: { Ref: config }, Name })),
    )
    const urls = resourcesOf(template, 'AWS::Lambda::Url')
    const ofUrls = aliases.filter(([, { Properties }]) => Properties.Name === urlAlias)
    expect(urls.map(([, url]) => url)).toMatchObject(
      ofUrls.map(([aliasId]) => ({
        // The URL names its alias, and does not refer to it.
        DependsOn: [aliasId],
        Properties: { AuthType: 'AWS_IAM', Qualifier: urlAlias },
      })),
    )
    // Nobody gets the right to call it from the stack: an administrator of the account gives it.
    const permissions = JSON.stringify(
      resourcesOf(template, 'AWS::Lambda::Permission').map(([, { Properties }]) => Properties),
    )
    for (const id of [config, ofProducts, ...aliases.map(([aliasId]) => aliasId)])
      expect(permissions).not.toContain(id)
  })

  it('have a full processor if they hash passwords', () => {
    const whole = [...functions].flatMap(([name, { MemorySize }]) => (MemorySize >= 1769 ? [name] : []))
    const hashing: FunctionName[] = [
      ...(['sessions', 'passwords', 'access-links', 'invitations', 'first-admin'] as const),
      'user-files',
    ]
    expect(whole.sort()).toEqual(hashing.sort())
  })

  it('keep their logs for 90 days, and that with the audit checkpoints as long as audit events', () => {
    const logGroups = resourcesOf(template, 'AWS::Logs::LogGroup')
    expect(logGroups).toHaveLength(functions.size + 1)
    for (const [id, { Properties }] of logGroups)
      expect(Properties.RetentionInDays).toBe(id.startsWith('AuthAuditChainLog') ? 400 : 90)
  })
})

describe('the table', () => {
  const table = only('AWS::DynamoDB::Table')
  const { partitionKey, sortKey, ttlAttribute, indexes, indexProjection } = tableDefinition
  const keys = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ]

  it('has the same keys and indexes as in local mode', () => {
    expect(table.KeySchema).toEqual(keys(partitionKey, sortKey))
    expect(table.GlobalSecondaryIndexes).toEqual(
      Object.entries(indexes).map(([IndexName, index]) => ({
        IndexName,
        KeySchema: keys(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: indexProjection },
      })),
    )
    expect(table.TimeToLiveSpecification).toEqual({ AttributeName: ttlAttribute, Enabled: true })
  })

  it('is encrypted, restorable and retained', () => {
    expect(table.SSESpecification).toMatchObject({ SSEEnabled: true, SSEType: 'KMS' })
    const keys = resourcesOf(template, 'AWS::KMS::Key')
    expect(keys).toHaveLength(3)
    for (const [, key] of keys.slice(0, 2)) expect(key.Properties.EnableKeyRotation).toBe(true)
    expect(table).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      DeletionPolicy: 'Retain',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
    })
  })
})

describe('mail', () => {
  const { template: own } = full
  const [configurationSet = ''] = resourcesOf(own, 'AWS::SES::ConfigurationSet').map(([id]) => id)
  const [topicId = '', topic] =
    resourcesOf(own, 'AWS::SNS::Topic').find(([id]) => id.includes('MailEvents')) ?? []
  const ownFacts = factsOf(own, 'the-table')
  const idOf = (name: string): string => allFunctions.get(name)?.id
  const configurationSetArn = `arn:aws:ses:local:000000000000:configuration-set/${configurationSet}`

  it('may be sent only by the sending functions, with the sender and the configuration set', () => {
    const sending = [...functions].filter(([name, { id }]) => {
      const sends = statementsOf(own, id, ownFacts).filter(
        ({ actions }) => actions.join() === 'ses:SendEmail',
      )
      const Variables = own.Resources[id]?.Properties.Environment.Variables
      // The check of health and the pages know the sender, and cannot send.
      const knows = sends.length > 0 || name === 'health' || name === 'pages'
      expect(JSON.stringify(Variables).includes('MAIL_')).toBe(knows)
      if (sends.length === 0) return false
      expect(Variables.MAIL_FROM).toBe('Example <no-reply@mail.example.com>')
      expect(Variables.MAIL_CONFIGURATION_SET).toEqual({ Ref: configurationSet })
      expect(sends).toEqual([
        {
          actions: ['ses:SendEmail'],
          resources: ['arn:aws:ses:local:000000000000:identity/*'],
          conditions: { 'StringEquals ses:FromAddress': 'no-reply@mail.example.com' },
        },
        { actions: ['ses:SendEmail'], resources: [configurationSetArn], conditions: {} },
      ])
      return true
    })
    expect(sending.map(([name]) => name).sort()).toEqual(['access-links', 'mailer'])
  })

  it('cannot be sent without a sender, so that the stack works in regions without SES', () => {
    for (const { id } of functions.values())
      expect(JSON.stringify(statementsOf(template, id, facts))).not.toContain('ses:')
    expect(JSON.stringify(template)).not.toMatch(/AWS::SES|ses\.amazonaws|MailEvents|MailConfiguration|MAIL_/)
  })

  it('leaves all other resources as they are when a sender is added or removed', () => {
    const inBoth = Object.keys(own.Resources).filter((id) => id in template.Resources)
    const onlyWithMail = Object.keys(own.Resources).filter((id) => /Mail(Events|Configuration)/.test(id))
    expect(onlyWithMail.length).toBeGreaterThan(5)
    expect(onlyWithMail.filter((id) => inBoth.includes(id))).toEqual([])
    for (const type of ['AWS::DynamoDB::Table', 'AWS::KMS::Key', 'AWS::SecretsManager::Secret'])
      expect(resourcesOf(own, type).map(([id]) => id)).toEqual(resourcesOf(template, type).map(([id]) => id))
    const retained = Object.entries(own.Resources).filter(
      ([, { DeletionPolicy }]) => DeletionPolicy === 'Retain',
    )
    expect(retained.filter(([id]) => onlyWithMail.includes(id))).toEqual([])
  })

  it('reports bounces and complaints but does not track opens and clicks', () => {
    expect(only('AWS::SES::ConfigurationSetEventDestination', own)).toMatchObject({
      ConfigurationSetName: { Ref: configurationSet },
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: ['bounce', 'complaint'],
        SnsDestination: { TopicARN: { Ref: topicId } },
      },
    })
    expect(own.Resources[configurationSet]?.Properties ?? {}).not.toHaveProperty('TrackingOptions')
  })

  it('leaves SES over TLS only, unless a setting allows plain text', async () => {
    const tlsPolicyOf = (from: Template) =>
      only('AWS::SES::ConfigurationSet', from).DeliveryOptions?.TlsPolicy
    expect(tlsPolicyOf(own)).toBe('REQUIRE')
    expect(tlsPolicyOf((await shareSynthesis('adopted')).template)).toBe('OPTIONAL')
  })

  it('has an encrypted topic to which only SES may publish for this configuration set', () => {
    expect(topic?.Properties.KmsMasterKeyId).toBeDefined()
    const policy = resourcesOf(own, 'AWS::SNS::TopicPolicy').find(([id]) => id.includes('MailEvents'))
    const statements = resolve(policy?.[1].Properties.PolicyDocument.Statement, ownFacts)
    expect(statements).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      {
        Sid: '1',
        Effect: 'Allow',
        Principal: { Service: 'ses.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: topicId,
        Condition: {
          StringEquals: { 'aws:SourceAccount': '000000000000', 'aws:SourceArn': configurationSetArn },
        },
      },
    ])
  })

  it('allows only the topic to call the function', () => {
    const target = { 'Fn::GetAtt': [idOf('mail-events'), 'Arn'] }
    const permissions = resourcesOf(own, 'AWS::Lambda::Permission').filter(
      ([, { Properties }]) => JSON.stringify(Properties.FunctionName) === JSON.stringify(target),
    )
    expect(permissions.map(([, { Properties }]) => Properties)).toEqual([
      {
        Action: 'lambda:InvokeFunction',
        FunctionName: target,
        Principal: 'sns.amazonaws.com',
        SourceArn: { Ref: topicId },
      },
    ])
    const lambdas = resourcesOf(own, 'AWS::SNS::Subscription').filter(
      ([, { Properties }]) => Properties.Protocol === 'lambda',
    )
    expect(lambdas.map(([, { Properties }]) => [Properties.TopicArn, Properties.Endpoint])).toEqual([
      [{ Ref: topicId }, target],
    ])
  })

  it('allows SES to use the key only for messages of topics', () => {
    const [, key] = resourcesOf(own, 'AWS::KMS::Key')[0] ?? []
    const statements = resolve(key?.Properties.KeyPolicy.Statement, ownFacts)
    const forSes = statements.filter(
      (statement: JsonValue) => statement.Principal.Service === 'ses.amazonaws.com',
    )
    expect(forSes).toMatchObject([
      {
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Condition: {
          StringLike: { 'kms:EncryptionContext:aws:sns:topicArn': 'arn:aws:sns:local:000000000000:*' },
        },
      },
    ])
  })
})

describe('SAML providers', () => {
  it('are refreshed by a function that only the schedule may call, each hour', () => {
    const target = { 'Fn::GetAtt': [functions.get('connection-refresh')?.id, 'Arn'] }
    expectSchedule('cron(17 * * * ? *)', target)
  })
})

describe('accounts whose users asked for it', () => {
  it('are deleted by a function that only the schedule may call, each hour', () => {
    const target = { 'Fn::GetAtt': [functions.get('account-deletion')?.id, 'Arn'] }
    expectSchedule('cron(29 * * * ? *)', target)
  })
})

/** The only rule that may call a function has this schedule. */
const expectSchedule = (schedule: string, target: JsonValue): void => {
  const isTarget = (value: JsonValue) => JSON.stringify(value) === JSON.stringify(target)
  const rules = resourcesOf(template, 'AWS::Events::Rule').filter(([, { Properties }]) =>
    isTarget(Properties.Targets[0].Arn),
  )
  expect(rules.map(([, { Properties }]) => Properties)).toMatchObject([
    { ScheduleExpression: schedule, State: 'ENABLED', Targets: [{ Arn: target }] },
  ])
  const permissions = resourcesOf(template, 'AWS::Lambda::Permission').filter(([, { Properties }]) =>
    isTarget(Properties.FunctionName),
  )
  expect(permissions.map(([, { Properties }]) => Properties)).toEqual([
    {
      Action: 'lambda:InvokeFunction',
      FunctionName: target,
      Principal: 'events.amazonaws.com',
      SourceArn: { 'Fn::GetAtt': [rules[0]?.[0], 'Arn'] },
    },
  ])
}

describe('the chain of audit events', () => {
  it('is extended every minute by a function that only the schedule may call', () => {
    expectSchedule('rate(1 minute)', { 'Fn::GetAtt': [functions.get('audit-chain')?.id, 'Arn'] })
  })

  it('is signed with a key pair of its own, which only that function may use', () => {
    const [, , [keyId, key] = []] = resourcesOf(template, 'AWS::KMS::Key')
    expect(key?.Properties).toMatchObject({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' })
    const arn = facts[`${keyId}.Arn`] ?? ''
    const using = [...functions].flatMap(([name, { id }]) =>
      statementsOf(template, id, facts)
        .filter(({ resources }) => resources.includes(arn))
        .map(({ actions, conditions }) => [name, actions, conditions]),
    )
    expect(using).toEqual([
      ['audit-chain', ['kms:Sign'], { 'StringEquals kms:SigningAlgorithm': 'ECDSA_SHA_256' }],
      ['audit-chain', ['kms:GetPublicKey'], {}],
    ])
  })
})

describe('the rest of the stack', () => {
  it('has names that two stacks in one account cannot share', () => {
    const isNamedAfterStack = (name: JsonValue) => JSON.stringify(name).includes('{"Ref":"AWS::StackName"}')
    const buses = resourcesOf(template, 'AWS::Events::EventBus').map(([, { Properties }]) => Properties.Name)
    expect(buses.map(isNamedAfterStack)).toEqual([true, true])
    const logs = resourcesOf(template, 'AWS::Logs::LogGroup')
    const unnamed = logs.filter(([, { Properties }]) => Properties.LogGroupName === undefined)
    // It remains when the stack is deleted, and the next stack with this name creates another one.
    expect(unnamed.map(([id, { DeletionPolicy }]) => [id, DeletionPolicy])).toEqual([
      ['AuthAuditChainLog1BAA65B9', 'RetainExceptOnCreate'],
    ])
    const names = logs.flatMap(([, { Properties }]) => Properties.LogGroupName ?? [])
    expect(names.every(isNamedAfterStack)).toBe(true)
    expect(new Set(names.map((name) => JSON.stringify(name))).size).toBe(names.length)
    expect(names.filter((name) => JSON.stringify(name).includes('/aws/vendedlogs/'))).toHaveLength(1)
  })

  it('keeps mail events that failed', () => {
    const configs = resourcesOf(full.template, 'AWS::Lambda::EventInvokeConfig').map(([, { Properties }]) => [
      Properties.FunctionName.Ref,
      Properties.MaximumRetryAttempts,
      Properties.DestinationConfig?.OnFailure !== undefined,
    ])
    expect(configs).toContainEqual([allFunctions.get('mail-events')?.id, 2, true])
  })

  it('repeats no run of a schedule, and drops runs that waited until the next one', () => {
    const limits = (from: Template) => {
      const configs = resourcesOf(from, 'AWS::Lambda::EventInvokeConfig')
      const targets = resourcesOf(from, 'AWS::Events::Rule').flatMap(
        ([, { Properties }]) => Properties.Targets,
      )
      return Object.fromEntries(
        targets.map(({ Arn, RetryPolicy }) => {
          const [id] = Arn['Fn::GetAtt']
          const [, config] = configs.find(([, { Properties }]) => Properties.FunctionName.Ref === id) ?? []
          const { MaximumRetryAttempts, MaximumEventAgeInSeconds } = config?.Properties ?? {}
          const { Description } = from.Resources[id]?.Properties ?? {}
          expect(RetryPolicy.MaximumRetryAttempts, Description).toBe(0)
          return [Description, [MaximumRetryAttempts, MaximumEventAgeInSeconds]]
        }),
      )
    }
    const expected = {
      'Latchkey: audit-chain': [0, 60],
      'Latchkey: backchannel-logout': [0, 60],
      'Latchkey: account-deletion': [0, 600],
      'Latchkey: connection-refresh': [0, 600],
      'Latchkey: signing-keys': [0, 3600],
    }
    expect(limits(template)).toEqual(expected)
    expect(limits(full.template)).toEqual(expected)
  })

  it('reserves concurrency, traces and backs up only with a setting', () => {
    const ofFunctions = (from: typeof template, name: string) =>
      resourcesOf(from, 'AWS::Lambda::Function').flatMap(([, { Properties }]) =>
        Properties[name] === undefined ? [] : [[Properties.Description, Properties[name]]],
      )
    expect(ofFunctions(full.template, 'ReservedConcurrentExecutions')).toEqual(
      ['sessions', 'passwords', 'access-links', 'invitations'].map((name) => [`Latchkey: ${name}`, 20]),
    )
    expect(ofFunctions(template, 'ReservedConcurrentExecutions')).toEqual([])
    expect(ofFunctions(full.template, 'TracingConfig')).toHaveLength(allFunctions.size)
    expect(ofFunctions(template, 'TracingConfig')).toEqual([])
    expect(resourcesOf(template, 'AWS::Backup::BackupPlan')).toEqual([])
    expect(only('AWS::Backup::BackupPlan', full.template).BackupPlan.BackupPlanRule).toHaveLength(2)
    expect(resourcesOf(full.monitoring, 'AWS::CloudWatch::Dashboard')).toEqual([])
    expect(resourcesOf(plain.monitoring, 'AWS::CloudWatch::Dashboard')).toHaveLength(1)
  })

  it('creates the first administrator from a generated secret, with a timeout of minutes', () => {
    expect(only('AWS::SecretsManager::Secret')).toMatchObject({
      GenerateSecretString: { PasswordLength: 32, ExcludePunctuation: true },
      KmsKeyId: expect.anything(),
      DeletionPolicy: 'RetainExceptOnCreate',
    })
    expect(only('Custom::LatchkeyFirstAdmin').ServiceTimeout).toBe('300')
  })

  it('has outputs for the URL of the service and the password of the administrator', () => {
    const outputs = JSON.stringify(template.Outputs)
    expect(outputs).toContain('ApiEndpoint')
    expect(outputs).toContain('aws secretsmanager get-secret-value --secret-id ')
  })

  it.each([
    'Url',
    'JwksUrl',
    'AuthorizerArn',
    'ApiId',
    'TableName',
    'AuditBusArn',
    'VaultKeyArn',
    'AuditKeyArn',
    'CheckpointLog',
  ])('has the output %s', (name) => {
    const names = Object.keys(template.Outputs).map((id) => id.replace(/^Auth(.*)[0-9A-F]{8}$/, '$1'))
    expect(names).toContain(name)
  })

  it('sends alarms by email if there is an address', () => {
    const subscriptions = resourcesOf(full.template, 'AWS::SNS::Subscription')
    expect(subscriptions.find(([, { Properties }]) => Properties.Protocol === 'email')).toMatchObject([
      expect.any(String),
      { Properties: { Endpoint: 'ops@example.com' } },
    ])
    for (const [, { Properties }] of resourcesOf(plain.monitoring, 'AWS::CloudWatch::Alarm'))
      expect(Properties).not.toHaveProperty('AlarmActions')
    const [topicId] =
      resourcesOf(full.template, 'AWS::SNS::Topic').find(([id]) => id.includes('Alarms')) ?? []
    const policy = resourcesOf(full.template, 'AWS::SNS::TopicPolicy').find(([id]) => id.includes('Alarms'))
    expect(policy?.[1].Properties.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Resource: { Ref: topicId },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    )
  })

  it('breaks rules of AwsSolutions only with a stated reason', () => {
    for (const { messages } of [plain, full]) expect(messages).toEqual([])
    const acknowledged = JSON.stringify([full.template, full.permissions]).match(/AwsSolutions-\w+/g)
    const broken = ['IAM4', 'IAM5', 'S1', 'SMG4', 'SQS3'].map((rule) => `AwsSolutions-${rule}`)
    expect(new Set(acknowledged)).toEqual(new Set(broken))
  })

  it('leaves room for the resources of a product in the same stack', () => {
    // CloudFormation allows 500 resources. See docs/deploy.md, which leaves 280 to products.
    expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(160)
    const context = {
      ...stackSettings.full,
      ...stackSettings.frontDoor,
      allowedOrigins: stackSettings.full.allowedOrigins,
      stackName: 'Everything',
      domain: {
        ...stackSettings.frontDoor.domain,
        certificateArn: 'arn:aws:acm:local:000000000000:certificate/1',
      },
      dashboard: 'true',
    }
    const folder = join(outdir, 'everything')
    const stack = createApp({ outdir: folder, bundleDir, context }).synth().getStackByName('Everything')
    expect(Object.keys(stack.template.Resources).length).toBeLessThanOrEqual(224)
    const parts = (['Permissions', 'Monitoring'] as const).map((name) =>
      readNested(folder, stack.template, name),
    )
    for (const { Resources } of [plain.permissions, plain.monitoring, ...parts])
      expect(Object.keys(Resources).length).toBeLessThanOrEqual(60)
    // CloudFormation allows 60 references to secrets.
    expect(JSON.stringify(stack.template).match(/\{\{resolve:/g)?.length).toBeLessThanOrEqual(40)
  })

  it('fails the synthesis when a resource breaks a rule without a stated reason', () => {
    const app = createApp({ outdir, bundleDir })
    new Queue(Stack.of(app.node.findChild('Latchkey')), 'QueueWithoutDeadLetters')
    expect(() => app.synth()).toThrow('AwsSolutions-SQS3')
  })
})

describe('the stream of the table', () => {
  const mappings = new Map(
    resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => [
      [...functions].find(([, { id }]) => id === Properties.FunctionName.Ref)?.[0],
      Properties,
    ]),
  )
  const [[tableId] = []] = resourcesOf(template, 'AWS::DynamoDB::Table')

  it.each([
    { name: 'mailer', partitions: [{ prefix: 'outbox#' }], batchSize: 5, retries: 10 },
    {
      name: 'audit-forward',
      partitions: [{ prefix: 'audit#' }, { prefix: 'logout-job#' }],
      batchSize: 100,
      retries: 20,
    },
  ])('delivers new items to $name, and keeps what failed', ({ name, partitions, batchSize, retries }) => {
    const { FilterCriteria, DestinationConfig, ...properties } = mappings.get(name)
    expect(properties).toEqual({
      FunctionName: { Ref: functions.get(name)?.id },
      EventSourceArn: { 'Fn::GetAtt': [tableId, 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: batchSize,
      MaximumRetryAttempts: retries,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    })
    const [queueId] = DestinationConfig.OnFailure.Destination['Fn::GetAtt']
    expect(template.Resources[queueId]?.Type).toBe('AWS::SQS::Queue')
    const [{ Pattern }, ...others] = FilterCriteria.Filters
    expect(others).toEqual([])
    expect(JSON.parse(Pattern)).toEqual({
      eventName: ['INSERT'],
      dynamodb: { Keys: { pk: { S: partitions } } },
    })
  })

  it('has no other readers', () => {
    expect([...mappings.keys()].sort()).toEqual(['audit-forward', 'mailer'])
  })
})

describe('audit events', () => {
  const forward = functions.get('audit-forward')
  const [busId, jobBusId] = ['AuthAuditBus', 'AuthJobBus'].map(
    (prefix) => resourcesOf(template, 'AWS::Events::EventBus').find(([id]) => id.startsWith(prefix))?.[0],
  )

  it('are forwarded to their own bus by the only function that may put events there', () => {
    expect(forward.Environment.Variables).toMatchObject({
      AUDIT_BUS_NAME: { Ref: busId },
      JOB_BUS_NAME: { Ref: jobBusId },
    })
    const putting = [...functions].flatMap(([name, { id }]) =>
      statementsOf(template, id, facts)
        .filter(({ actions }) => actions.some((action) => action.startsWith('events:')))
        .map(({ actions, resources }) => [name, actions, resources]),
    )
    expect(putting.sort()).toEqual([
      ['audit-forward', ['events:PutEvents'], [facts[`${busId}.Arn`], facts[`${jobBusId}.Arn`]]],
      // It can only ask for missing signing keys, and for logout jobs that exist.
      ['oidc', ['events:PutEvents'], [facts[`${jobBusId}.Arn`]]],
    ])
  })

  it('are the only items that the function may read', () => {
    const statements = statementsOf(template, forward.id, facts)
    const arn = facts[`${resourcesOf(template, 'AWS::DynamoDB::Table')[0]?.[0]}.Arn`] ?? ''
    const mayRead = (...partitions: string[]) =>
      allows(statements, 'dynamodb:BatchGetItem', arn, { 'dynamodb:LeadingKeys': partitions })
    for (const shard of auditShards) expect(mayRead(auditPartition('2026-01', shard))).toBe(true)
    for (const other of ['user#1', 'audit-chain#0', 'audit-checkpoints', 'audit', 'data-key#audit#1'])
      expect(mayRead(auditPartition('2026-01', '0'), other)).toBe(false)
  })
})
