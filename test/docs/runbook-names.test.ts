import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Resource, resourcesOf, shareSynthesis } from '../infra/synthesis.ts'
import { sourceFolders } from '../support/floors.ts'
import { blocksOf, inlineCodeIn, markdownFiles, sectionOf } from './markdown.ts'
import { commandTextsOf, wordsOf } from './shell-commands.ts'

/* What the runbooks name exists under this name in the stack that is deployed. An operator has no time to look for it. */

const operate = 'docs/operate.md'
const deploy = 'docs/deploy.md'
const { template, monitoring } = await shareSynthesis('full')
const frontDoor = await shareSynthesis('frontDoor')

const awsCommands = markdownFiles()
  .flatMap((file) => commandTextsOf(blocksOf(file)))
  .filter((text) => text.startsWith('aws '))
  .map(wordsOf)
const optionsNamed = (name: string): readonly string[] =>
  awsCommands.flatMap((words) =>
    words.flatMap((word, at) => (word === `--${name}` ? (words[at + 1] ?? '') : [])),
  )
const [, stackName = ''] = /"stackName": "(\w+)"/.exec(readFileSync(deploy, 'utf8')) ?? []

describe('the AWS commands of the documentation', () => {
  it('name the stack that the page about the deployment creates, and those of its front door', () => {
    const names = new Set(optionsNamed('stack-name'))
    expect(names).toContain(stackName)
    for (const name of names)
      expect(frontDoor.templateOf(name.replace(stackName, 'Latchkey')).Resources).toBeDefined()
  })

  it('and all others name the table as CloudFormation does', () => {
    const named = markdownFiles().flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\b\w+-(?:Auth)?Table\w*\b(?:-EXAMPLE)?/g),
    ])
    expect(named.length).toBeGreaterThan(10)
    for (const [name] of named) {
      const [stack, id = '', suffix] = name.split('-')
      expect([stack, suffix]).toEqual([stackName, 'EXAMPLE'])
      expect(template.Resources[id]).toMatchObject({ Type: 'AWS::DynamoDB::Table' })
      // With a name of its own, it would have this name without the ID.
      expect(template.Resources[id]?.Properties.TableName).toBeUndefined()
    }
  })

  it('name groups of logs', () => {
    const known = resourcesOf(template, 'AWS::Logs::LogGroup').map(([, { Properties }]) =>
      nameIn(stackName, Properties.LogGroupName),
    )
    const groups = awsCommands.filter((words) => words[1] === 'logs').map((words) => words[3])
    expect(groups.length).toBeGreaterThan(0)
    for (const group of groups) expect(known).toContain(group)
    const text = readFileSync(operate, 'utf8')
    for (const [, start = ''] of text.matchAll(/`(\/aws\/\S+?STACK-access-)…`/g))
      expect(known.filter((name) => name.startsWith(start.replace('STACK', stackName)))).toHaveLength(1)
  })

  it('print the initial password as the output of the stack does', () => {
    const [output] = Object.entries(template.Outputs).filter(([id]) =>
      id.startsWith('AuthAdminPasswordCommand'),
    )
    const printed = nameIn(stackName, output?.[1].Value).replace(/--secret-id \S*/, '--secret-id')
    const shown = awsCommands.find((words) => words[1] === 'secretsmanager') ?? []
    const [, , call, option, , ...others] = shown
    expect(printed).toBe(['aws secretsmanager', call, option, ...others].join(' '))
  })
})

/** A name of the template as deployed. Parts that only AWS knows are left out. */
const nameIn = (stack: string, value: Resource['Properties']): string => {
  if (typeof value === 'string') return value
  if (value?.Ref === 'AWS::StackName') return stack
  const [separator, parts] = value?.['Fn::Join'] ?? ['', []]
  return parts.map((part: Resource['Properties']) => nameIn(stack, part)).join(separator)
}

describe('a first deployment that fails', () => {
  const section = sectionOf(deploy, 'The first deployment failed')
  /** CloudFormation deletes what it created, except for these. */
  const kept = Object.values(template.Resources).filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain')
  const keptOnlyLater = Object.values(template.Resources).filter(
    ({ DeletionPolicy }) => DeletionPolicy === 'RetainExceptOnCreate',
  )
  const calls = commandTextsOf(section.blocks).map((text) => wordsOf(text).slice(1, 3).join(' '))

  it('leaves the protected table and its key, and the page deletes just these', () => {
    expect(kept.map(({ Type }) => Type).sort()).toEqual(['AWS::DynamoDB::Table', 'AWS::KMS::Key'])
    const [table] = kept.filter(({ Type }) => Type === 'AWS::DynamoDB::Table')
    expect(table?.Properties.DeletionProtectionEnabled).toBe(true)
    const [key] = Object.entries(template.Resources).filter(
      ([, resource]) => kept.includes(resource) && resource !== table,
    )
    expect(JSON.stringify(table?.Properties.SSESpecification)).toContain(key?.[0])
    expect(section.text).toContain('The empty table remains')
    expect(section.text).toContain('the key that encrypts it')
    expect(calls.filter((call) => /^(?:dynamodb|kms|s3|secretsmanager|logs|backup) /.test(call))).toEqual([
      'dynamodb update-table',
      'dynamodb delete-table',
      'kms schedule-key-deletion',
    ])
  })

  it('deletes all other keys and the secret, as the page says', () => {
    expect(section.text).toContain(
      'All other keys, the secret of the admin, the log of `audit-chain` and the audit archive are deleted',
    )
    expect(section.text).toContain('`RetainExceptOnCreate`')
    const types = new Set(keptOnlyLater.map(({ Type }) => Type))
    expect([...types].sort()).toEqual([
      'AWS::Backup::BackupVault',
      'AWS::KMS::Key',
      'AWS::Logs::LogGroup',
      'AWS::S3::Bucket',
      'AWS::SecretsManager::Secret',
    ])
    const keys = resourcesOf(template, 'AWS::KMS::Key')
    expect([...kept, ...keptOnlyLater].filter(({ Type }) => Type === 'AWS::KMS::Key')).toHaveLength(
      keys.length,
    )
  })

  it('leaves nothing of the front door', () => {
    for (const suffix of ['FrontDoor', 'FrontDoorLog']) {
      const { Resources } = frontDoor.templateOf(`Latchkey${suffix}`)
      const policies = Object.values(Resources).map(({ DeletionPolicy = 'Delete' }) => DeletionPolicy)
      expect(policies).not.toContain('Retain')
    }
  })
})

const alarms = resourcesOf(monitoring, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => {
  const [, anchor = ''] = / Runbook: docs\/operate\.md#([a-z-]+)$/.exec(Properties.AlarmDescription) ?? []
  // The ID ends with a hash, and those of several alarms about functions with a number.
  return [id.slice(0, -8).replace(/\d+$/, ''), anchor] as const
})

describe('the section of each alarm', () => {
  it.each(alarms)('names the alarm %s', (id, anchor) => {
    const named = inlineCodeIn(sectionOf(operate, anchor).text)
    // Several alarms can share a name, such as those of each reader of the stream.
    expect(named.filter((code) => /^[A-Za-z]{8,}$/.test(code) && id.endsWith(code))).not.toEqual([])
  })
})

/** What AWS calls by these names. */
const namesOfAws = [
  'AccessDeniedException',
  'ConcurrentExecutions',
  'DeleteItem',
  'DisabledException',
  'GetItem',
  'DomainValidationOptions',
  'GetPolicy',
  'KMSInvalidStateException',
  'ListAliases',
  'ListFunctionUrlConfigs',
  'OriginConnectError',
  'OriginDnsError',
  'OriginError',
  'ProductionAccessEnabled',
  'PutItem',
  'REPORT',
  'terminatingRuleId',
  'UPDATE_ROLLBACK_FAILED',
  'UpdateItem',
]

it('each name on the page about operation exists in the sources, the stack or AWS', () => {
  const sources = sourceFolders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
    )
    .join('\n')
  const words = new Set(sources.match(/[\w.-]*\w/g))
  const isName = (code: string) => /^[A-Za-z][\w.-]*\w$/.test(code) && /[a-z][A-Z]|[._-]|[A-Z]{3}/.test(code)
  const names = inlineCodeIn(readFileSync(operate, 'utf8')).filter(isName)
  expect(names.length).toBeGreaterThan(60)
  const unknown = names.filter(
    (name) =>
      !words.has(name) &&
      !namesOfAws.includes(name) &&
      !alarms.some(([id]) => id.endsWith(name)) &&
      !name.startsWith(`${stackName}`),
  )
  expect([...new Set(unknown)]).toEqual([])
})

describe('the page about operation', () => {
  it('explains the findings of the audit log where it says how to verify it', () => {
    expect(inlineCodeIn(sectionOf(operate, 'Verify the audit log').text)).toContain('checkpoint_missing')
  })
})
