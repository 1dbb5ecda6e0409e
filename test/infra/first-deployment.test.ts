import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createApp } from '../../infra/app.ts'
import { indexNames } from '../../lib/kernel/table/table.ts'
import { shareBundles } from './shared-bundles.ts'
import { findMessages, resourcesOf, type Template } from './synthesis.ts'

/* What an operator meets in the first hour: a new account with small quotas, and deployments that fail. */

const { folder: bundleDir } = await shareBundles()
const outdir = mkdtempSync(join(tmpdir(), 'latchkey-first-'))
afterAll(() => rmSync(outdir, { recursive: true }))
const synthesize = (context: Readonly<Record<string, string>>, stackName = 'Latchkey') =>
  createApp({ outdir, bundleDir, context }).synth().getStackByName(stackName)

const example = synthesize({ stage: 'example' }, 'LatchkeyExample')

describe('the example of a stage', () => {
  it('reserves no concurrency, which a new account does not have', () => {
    const reserving = resourcesOf(example.template, 'AWS::Lambda::Function').filter(
      ([, { Properties }]) => 'ReservedConcurrentExecutions' in Properties,
    )
    expect(reserving).toEqual([])
  })

  it('has a protected stack', () => {
    expect(example.terminationProtection).toBe(true)
  })
})

it('a failed first deployment leaves nothing but the protected table and its key', () => {
  const remaining = Object.entries<{ DeletionPolicy?: string }>(example.template.Resources).flatMap(
    ([id, { DeletionPolicy }]) => (DeletionPolicy === 'Retain' ? [id.slice(0, -8)] : []),
  )
  expect(remaining.sort()).toEqual(['AuthKey', 'AuthTable'])
})

describe('wholeTableGrants', () => {
  const { template, messages } = synthesize({ wholeTableGrants: 'true' })
  const policies = (from: Template) => JSON.stringify(resourcesOf(from, 'AWS::IAM::Role'))

  it('lets each function use its actions on the whole table, and no others', () => {
    expect(policies(example.template)).toContain('dynamodb:LeadingKeys')
    expect(policies(template)).not.toContain('dynamodb:LeadingKeys')
    expect(policies(template)).not.toMatch(/dynamodb:(?:\*|Scan|PartiQL)/)
  })

  it('warns at synthesis', () => {
    const warnings = messages
      .filter(({ level }) => level === 'warning')
      .map(({ entry }) => String(entry.data))
    expect(warnings).toEqual([expect.stringContaining('wholeTableGrants is on')])
    expect(findMessages(example)).toEqual([])
  })
})

describe('what an operator looks for', () => {
  it('are logs with names that the documentation uses', () => {
    const logs = resourcesOf(example.template, 'AWS::Logs::LogGroup')
    const names = logs.map(([, { Properties }]) => JSON.stringify(Properties.LogGroupName))
    expect(names).toContain(
      JSON.stringify({ 'Fn::Join': ['', ['/latchkey/', { Ref: 'AWS::StackName' }, '/Auth/sessions']] }),
    )
    // CloudFormation chooses the name of the log that outlives its stack, and an output has it.
    const unnamed = logs.flatMap(([id, { Properties }]) => (Properties.LogGroupName ? [] : [id]))
    expect(unnamed).toHaveLength(1)
    expect(Object.values(example.template.Outputs)).toContainEqual(
      expect.objectContaining({ Value: { Ref: unnamed[0] } }),
    )
    expect(readFileSync('docs/operate.md', 'utf8')).toContain('/latchkey/LatchkeyProd/Auth/sessions')
  })

  it('is the email that confirms the subscription to alarms', () => {
    expect(JSON.stringify(example.template.Outputs)).toContain('after its owner has confirmed')
  })
})

describe('settings of the context', () => {
  const { template } = synthesize({
    requestsPerSecond: '1',
    requestsInBurst: '2',
    logRetention: '30',
    logLevel: 'error',
    removalPolicy: 'destroy',
    alarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:alarms',
    warmWriteUnits: '8000',
    maxReadUnits: '15000',
    maxWriteUnits: '9000',
  })
  const textOf = (type: string) => JSON.stringify(resourcesOf(template, type))

  it('set what props of the construct set', () => {
    expect(textOf('AWS::ApiGatewayV2::Stage')).toContain('"ThrottlingBurstLimit":2,"ThrottlingRateLimit":1')
    const throughput = {
      WarmThroughput: { WriteUnitsPerSecond: 8000 },
      OnDemandThroughput: { MaxReadRequestUnits: 15_000, MaxWriteRequestUnits: 9000 },
    }
    const [[, table] = []] = resourcesOf(template, 'AWS::DynamoDB::Table')
    const GlobalSecondaryIndexes = indexNames.map(() => throughput)
    expect(table?.Properties).toMatchObject({ ...throughput, GlobalSecondaryIndexes })
    for (const [id, { Properties }] of resourcesOf(template, 'AWS::Logs::LogGroup'))
      expect(Properties.RetentionInDays).toBe(id.startsWith('AuthAuditChainLog') ? 400 : 30)
    expect(textOf('AWS::Lambda::Function')).toContain('"LOG_LEVEL":"error"')
    expect(textOf('AWS::Logs::LogGroup')).not.toContain('Retain"')
    for (const type of ['AWS::DynamoDB::Table', 'AWS::KMS::Key', 'AWS::SecretsManager::Secret'])
      expect(textOf(type)).toContain('"DeletionPolicy":"Delete"')
    expect(textOf('AWS::CloudFormation::Stack')).not.toContain('"Alarms')
    expect(textOf('AWS::SNS::Topic')).toBe('[]')
  })

  it('cover all props but constructs and paths', () => {
    const page = readFileSync('docs/reference/settings.md', 'utf8')
    const [, construct = ''] = page.split('## Construct')
    const props = [...construct.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
    expect(props).toEqual(['alarmTopic', 'bundleDir'])
  })
})
