import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { leftovers, readLeftoversArguments } from '../../cli/leftovers/command.ts'
import { createApp } from '../../infra/app.ts'
import { stackTag } from '../../lib/kernel/util/stack-tag.ts'
import { type StubRequest, startStub } from '../infra/stub-server.ts'
import { readTemplates, stackSettings, writeEmptyBundles } from '../infra/synthesis.ts'
import { makeFolder, startCommand } from './command.ts'

/* A stub answers like an account in which a service was changed or deleted. */

const account = '111122223333'
const arnOf = (service: string, rest: string, region = 'eu-west-1') =>
  `arn:aws:${service}:${region}:${account}:${rest}`

interface Planted {
  readonly arn: string
  /** The value of the tag. */
  readonly stack?: string
  /** The stack that has it now, under this physical ID. */
  readonly owner?: readonly [stack: string, physicalId: string]
  readonly keyArn?: string
  /** Backups of a vault, or bytes of a log group. */
  readonly content?: number
  /** Log streams of a log group. */
  readonly streams?: number
  readonly isInUse?: boolean
  readonly replicas?: readonly string[]
  /** Deleted, but its tag is still known. */
  readonly isDeleted?: boolean
  isPending?: boolean
}

interface Lambda {
  readonly FunctionName: string
  readonly Environment: { readonly Variables: Readonly<Record<string, string>> }
}

let planted: Planted[] = []
let functions: Lambda[] = []
/** The stacks that exist. */
let stacks: string[] = []
let changes: string[] = []
/** Whether CloudFormation finds the stack of a resource. It is found in the list of the stack in any case. */
let findsOwners = true
/** Calls that AWS refuses. */
let denied = ''

const copyKey = arnOf('kms', 'key/11111111-aaaa')
const replicaKey = arnOf('kms', 'key/mrk-22222222')
const vault = arnOf('backup', 'backup-vault:Latchkey-guid-1')
const logGroup = arnOf('logs', 'log-group:/aws/lambda/LatchkeyProd-chain')
const webAcl = arnOf('wafv2', 'global/webacl/LatchkeyProd-acl/abc-1', 'us-east-1')
const tagged = { stack: 'LatchkeyProd' }

beforeEach(() => {
  planted = [
    { ...tagged, arn: copyKey },
    { ...tagged, arn: replicaKey },
    // AWS Backup may not have the tag: the name and the key say whose vault this is.
    { arn: vault, keyArn: copyKey },
    { ...tagged, arn: `${logGroup}:*` },
    { ...tagged, arn: webAcl },
    // Things of other stacks, and of none.
    { arn: arnOf('kms', 'key/33333333-other'), stack: 'LatchkeyProd2' },
    { arn: arnOf('kms', 'key/44444444-none') },
    { arn: arnOf('backup', 'backup-vault:Latchkey-guid-2'), stack: 'Other' },
    { arn: arnOf('dynamodb', 'table/Orders') },
    // A stack has these now.
    { ...tagged, arn: arnOf('kms', 'key/55555555-kept'), owner: ['LatchkeyProdNew', '55555555-kept'] },
    { ...tagged, arn: arnOf('wafv2', 'global/webacl/kept/abc-2'), owner: ['Other', 'kept|abc-2|CLOUDFRONT'] },
    { ...tagged, arn: arnOf('logs', 'log-group:kept'), owner: ['Other', 'kept'] },
    { ...tagged, arn: arnOf('backup', 'backup-vault:kept'), owner: ['Other', 'kept'] },
    // The templates do not retain queues.
    { ...tagged, arn: arnOf('sqs', 'queue') },
  ]
  functions = []
  stacks = []
  changes = []
  denied = ''
  findsOwners = true
})

const result = (action: string, content: string) => ({
  status: 200,
  body: `<${action}Response xmlns="http://aws.example.com/doc/"><${action}Result>${content}</${action}Result></${action}Response>`,
})
const refuse = (code: string, message = 'No.') => ({
  status: 400,
  body: JSON.stringify({ __type: code, message }),
})
const validationError = refuse('ValidationError', 'The stack does not exist')
const send = (body: unknown) => ({ status: 200, body: JSON.stringify(body) })

const answerQuery = (form: URLSearchParams) => {
  const action = form.get('Action') ?? ''
  const [stack, id] = [form.get('StackName'), form.get('PhysicalResourceId')]
  const owned = planted.flatMap(({ owner }) => owner ?? [])
  if (action === 'ListStackResources' && stack !== null && stacks.includes(stack)) {
    const members = planted.flatMap(({ owner }) =>
      owner?.[0] === stack ? `<member><PhysicalResourceId>${owner[1]}</PhysicalResourceId></member>` : [],
    )
    return result(action, `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`)
  }
  if (action === 'DescribeStackResources' && id !== null && findsOwners && owned.includes(id))
    return result(
      action,
      `<StackResources><member><PhysicalResourceId>${id}</PhysicalResourceId><ResourceStatus>UPDATE_COMPLETE</ResourceStatus></member></StackResources>`,
    )
  return validationError
}

const listOf = (pattern: string) =>
  planted.filter(({ arn, isDeleted }) => !isDeleted && arn.includes(pattern))
const find = (pattern: string) => listOf(pattern)[0]
const nameOf = (arn: string) => arn.replace(/:\*$/, '').replace(/^.*[:/](?=[^:]*$)/, '')
const drop = (change: string, one: Planted) => {
  changes.push(change)
  planted = planted.filter((other) => other !== one)
  return send({})
}

/** A page has one item, so that a list that is not read to its end is seen. */
const pageOf = <Item>(items: readonly Item[], token: unknown) => {
  const at = Number(token ?? 0)
  return { items: items.slice(at, at + 1), next: at + 1 < items.length ? String(at + 1) : undefined }
}

const answerJson = (action: string, input: Readonly<Record<string, string>>) => {
  const one = find(input['KeyId'] ?? input['logGroupName'] ?? (input['Id'] ? `/${input['Id']}` : 'nothing'))
  switch (action) {
    case 'GetResources': {
      const [filter] = input['TagFilters'] as unknown as { Key: string; Values: string[] }[]
      const matching = planted.filter(
        ({ stack }) => filter?.Key === stackTag && filter.Values.includes(stack ?? ''),
      )
      const { items, next } = pageOf(matching, input['PaginationToken'])
      return send({
        ResourceTagMappingList: items.map(({ arn }) => ({ ResourceARN: arn })),
        PaginationToken: next ?? '',
      })
    }
    case 'ListTables': {
      const names = listOf(':table/').map(({ arn }) => nameOf(arn))
      const { items, next } = pageOf(names, input['ExclusiveStartTableName'])
      return send({ TableNames: items, LastEvaluatedTableName: next })
    }
    case 'DescribeTable': {
      const table = find(`:table/${input['TableName']}`)
      return send({
        Table: { TableArn: table?.arn, SSEDescription: { KMSMasterKeyArn: table?.keyArn } },
      })
    }
    case 'ListSecrets':
      return send({
        SecretList: listOf(':secret:').map(({ arn, keyArn }) => ({ ARN: arn, KmsKeyId: keyArn })),
      })
    case 'DescribeKey':
      if (!one) return refuse('NotFoundException')
      return send({
        KeyMetadata: {
          KeyState: one.isPending ? 'PendingDeletion' : 'Enabled',
          MultiRegionConfiguration: one.replicas && {
            MultiRegionKeyType: 'PRIMARY',
            ReplicaKeys: one.replicas.map((Region) => ({ Region })),
          },
        },
      })
    case 'ScheduleKeyDeletion':
      if (!one || one.isPending) return refuse('KMSInvalidStateException')
      one.isPending = true
      changes.push(`${action} ${nameOf(one.arn)} ${input['PendingWindowInDays']}`)
      return send({})
    case 'DescribeLogGroups':
      return send({
        logGroups: listOf(':log-group:').map(({ arn, content = 0 }) => ({
          logGroupName: /log-group:([^:]+)/.exec(arn)?.[1],
          storedBytes: content,
        })),
      })
    case 'DescribeLogStreams':
      return send({ logStreams: Array(one?.streams ?? 0).fill({}) })
    case 'DeleteLogGroup':
      return one ? drop(action, one) : refuse('ResourceNotFoundException')
    case 'GetWebACL':
      return one ? send({ LockToken: 'lock' }) : refuse('WAFNonexistentItemException')
    case 'DeleteWebACL':
      if (!one || input['LockToken'] !== 'lock') return refuse('WAFOptimisticLockException')
      return one.isInUse
        ? refuse('WAFAssociatedItemException', 'CloudFront uses the web ACL.')
        : drop(action, one)
    default:
      return refuse('UnknownOperationException')
  }
}

const answerPath = (method: string, path: string) => {
  const url = new URL(path, 'http://stub')
  if (method === 'DELETE' && url.pathname.startsWith('/backup-vaults/')) {
    const one = find(`:backup-vault:${decodeURIComponent(url.pathname.slice(15))}`)
    if (!one) return refuse('ResourceNotFoundException')
    return one.content ? refuse('InvalidRequestException') : drop('DeleteBackupVault', one)
  }
  if (url.pathname === '/backup-vaults/') {
    const { items, next } = pageOf(listOf(':backup-vault:'), url.searchParams.get('nextToken'))
    return send({
      BackupVaultList: items.map(({ arn, keyArn, content = 0 }) => ({
        BackupVaultName: nameOf(arn),
        BackupVaultArn: arn,
        EncryptionKeyArn: keyArn,
        NumberOfRecoveryPoints: content,
      })),
      NextToken: next,
    })
  }
  if (url.pathname === '/2015-03-31/functions/') {
    const { items, next } = pageOf(functions, url.searchParams.get('Marker'))
    return send({ Functions: items, NextMarker: next ?? null })
  }
  return refuse('ResourceNotFoundException')
}

const stub = await startStub(({ method, path, headers, body }: StubRequest) => {
  if (!headers.authorization?.includes('/eu-west-1/')) return refuse('InvalidSignatureException')
  const target = headers['x-amz-target']
  const action = target ? String(target).replace(/^.*\./, '') : ''
  if (denied && action === denied) return refuse('AccessDeniedException')
  if (action) return answerJson(action, JSON.parse(body))
  return body ? answerQuery(new URLSearchParams(body)) : answerPath(method, path)
})
afterAll(() => stub.close())

const environment = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_ENDPOINT_URL: stub.url,
}

const run = (...args: readonly string[]) => startCommand('leftovers', args, environment).ended
const list = () => run('LatchkeyProd')
const remove = () => run('LatchkeyProd', '--remove', 'LatchkeyProd')
/** The things that the output names, without what it says about them. */
const namesOf = ({ stdout }: { readonly stdout: string }) =>
  stdout.split('\n').filter((line) => line !== '' && !line.startsWith('  ') && !line.startsWith('To '))

const everything = [
  'web ACL LatchkeyProd-acl/abc-1',
  'log group /aws/lambda/LatchkeyProd-chain',
  'backup vault Latchkey-guid-1',
  'KMS key 11111111-aaaa',
  'KMS key mrk-22222222',
]
const allChanges = [
  'DeleteWebACL',
  'DeleteLogGroup',
  'DeleteBackupVault',
  'ScheduleKeyDeletion 11111111-aaaa 30',
  'ScheduleKeyDeletion mrk-22222222 30',
]

describe('the list', () => {
  it('has exactly what no stack has, with its cost, and changes nothing', async () => {
    const ended = await list()
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(namesOf(ended)).toEqual(everything)
    expect(ended.stdout).toContain('KMS key mrk-22222222\n  Costs 1 USD a month.')
    expect(ended.stdout).toContain('--remove LatchkeyProd\n')
    expect(ended.stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(changes).toEqual([])
  })

  it('leaves out what the list of the stack has, also if CloudFormation does not find it by its ID', async () => {
    const key = '66666666-present'
    planted.push({ ...tagged, arn: arnOf('kms', `key/${key}`), owner: ['LatchkeyProd', key] })
    stacks.push('LatchkeyProd')
    findsOwners = false
    expect(namesOf(await list())).not.toContain(`KMS key ${key}`)
  })

  it('is empty for a stack that left nothing', async () => {
    expect(await run('Latchkey')).toMatchObject({
      code: 0,
      stdout: 'Nothing with the tag latchkey:stack of Latchkey remains in this region.\n',
    })
  })

  it('leaves out what was deleted although its tag is still known', async () => {
    planted = [
      ...planted.map((one) => ({ ...one, isDeleted: true })),
      { ...tagged, arn: arnOf('dynamodb', 'table/deleted'), isDeleted: true },
      { ...tagged, arn: arnOf('secretsmanager', 'secret:deleted'), isDeleted: true },
    ]
    expect(namesOf(await list())).toEqual([
      'Nothing with the tag latchkey:stack of LatchkeyProd remains in this region.',
    ])
  })
})

describe('--remove', () => {
  it('removes what is safe, keys last, and is harmless when repeated', async () => {
    expect(await remove()).toMatchObject({ code: 0, stderr: '' })
    expect(changes).toEqual(allChanges)
    const again = await remove()
    expect(again.code).toBe(0)
    expect(namesOf(again)).toEqual(['KMS key 11111111-aaaa', 'KMS key mrk-22222222'])
    expect(again.stdout).toContain('Costs nothing. KMS is about to delete it.')
    expect(changes).toEqual(allChanges)
  })

  it('is harmless when four people run it at once', async () => {
    const codes = await Promise.all(Array.from({ length: 4 }, async () => (await remove()).code))
    expect(codes.every((code) => code === 0 || code === 1)).toBe(true)
    expect(changes.toSorted()).toEqual(allChanges.toSorted())
  })

  it.each<[what: string, sentence: string, plant: () => unknown]>([
    [
      'a table',
      'It stays while the table LatchkeyProd-Table exists.',
      () => planted.push({ ...tagged, arn: arnOf('dynamodb', 'table/LatchkeyProd-Table') }),
    ],
    [
      'a table that only its key links to the stack',
      'It stays while the table restored exists.',
      () => planted.push({ arn: arnOf('dynamodb', 'table/restored'), keyArn: copyKey }),
    ],
    [
      'a table of another stack that uses a key',
      'is encrypted with a key of this stack.',
      () => planted.push({ arn: arnOf('dynamodb', 'table/used'), keyArn: copyKey, owner: ['Other', 'used'] }),
    ],
    [
      'a vault of the customer that uses a key',
      'is encrypted with a key of this stack.',
      () => planted.push({ arn: arnOf('backup', 'backup-vault:mine'), keyArn: replicaKey }),
    ],
    [
      'a bucket',
      'It stays while the bucket archive exists.',
      () => planted.push({ ...tagged, arn: 'arn:aws:s3:::archive' }),
    ],
    [
      'a secret',
      'exists.',
      () => planted.push({ ...tagged, arn: arnOf('secretsmanager', 'secret:admin-AbCdEf'), keyArn: copyKey }),
    ],
    [
      'a secret of another product',
      'uses a key of this stack.',
      () => planted.push({ arn: arnOf('secretsmanager', 'secret:mine'), keyArn: '11111111-aaaa' }),
    ],
    [
      'a service that was restored with a key',
      'It stays, because the function Restored-auth uses a key of this stack.',
      () =>
        functions.push(
          { FunctionName: 'another', Environment: { Variables: {} } },
          { FunctionName: 'Restored-auth', Environment: { Variables: { VAULT_KEY: replicaKey } } },
        ),
    ],
    [
      'a log group with content',
      'It stays while the log group checkpoints exists.',
      () => planted.push({ ...tagged, arn: arnOf('logs', 'log-group:checkpoints'), content: 5 }),
    ],
    [
      'a log group with events that CloudWatch has not counted yet',
      'It stays while the log group checkpoints exists.',
      () => planted.push({ ...tagged, arn: arnOf('logs', 'log-group:checkpoints'), streams: 1 }),
    ],
    [
      'the stack itself, whose table may have values of a former key',
      'It stays while the stack LatchkeyProd exists here',
      () => stacks.push('LatchkeyProd'),
    ],
  ])('keeps the keys and the data of %s', async (_, sentence, plant) => {
    plant()
    const before = planted.length
    const ended = await remove()
    expect(ended.code).toBe(0)
    expect(ended.stdout.replaceAll(/\s+/g, ' ')).toContain(sentence)
    expect(changes).toEqual(['DeleteWebACL', 'DeleteLogGroup', 'DeleteBackupVault'])
    expect(planted).toHaveLength(before - 3)
  })

  it('keeps a vault with backups, and the keys', async () => {
    planted = planted.map((one) => (one.arn === vault ? { ...one, content: 7 } : one))
    const ended = await remove()
    expect(ended.stdout).toContain('It has 7 backups.')
    expect(changes).toEqual(['DeleteWebACL', 'DeleteLogGroup'])
  })

  it('keeps a key with replicas in another region', async () => {
    planted = planted.map((one) => (one.arn === replicaKey ? { ...one, replicas: ['eu-north-1'] } : one))
    const ended = await remove()
    expect(ended.stdout).toContain('It stays while it has replicas in eu-north-1.')
    expect(changes).not.toContain('ScheduleKeyDeletion mrk-22222222 30')
  })

  it('reports a web ACL that CloudFront uses, and keeps the keys', async () => {
    planted = planted.map((one) => (one.arn === webAcl ? { ...one, isInUse: true } : one))
    const ended = await remove()
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain('CloudFront uses the web ACL.')
    expect(changes).toEqual(['DeleteLogGroup', 'DeleteBackupVault'])
  })

  it('changes nothing if one list cannot be read', async () => {
    denied = 'ListSecrets'
    expect(await remove()).toMatchObject({
      code: 2,
      stderr: 'The AWS credentials may not call secretsmanager:ListSecrets.\n',
    })
    expect(changes).toEqual([])
  })
})

describe('the tag', () => {
  const folder = makeFolder()
  afterAll(() => folder.remove())
  const bundleDir = writeEmptyBundles(`${folder.path}/bundles`)

  it.each([
    ['frontDoor', ['Latchkey', 'LatchkeyFrontDoor', 'LatchkeyFrontDoorLog']],
    ['backedUp', ['Latchkey', 'LatchkeyBackupKeys', 'LatchkeyBackupVault']],
  ] as const)('is on all stacks of a service: %s', (name, names) => {
    const app = createApp({ outdir: `${folder.path}/${name}`, bundleDir, context: stackSettings[name] })
    const tags = app.synth().stacks.map((stack) => [stack.stackName, stack.tags])
    expect(tags.toSorted()).toEqual(names.map((stack) => [stack, { [stackTag]: 'Latchkey' }]))
  })

  it('finds every type of resource that the templates retain', () => {
    const outdir = `${folder.path}/retained`
    const context = { ...stackSettings.backedUp, auditArchive: 'true' }
    createApp({ outdir, bundleDir, context }).synth()
    const retained = [...readTemplates(outdir).values()].flatMap(({ Resources }) =>
      Object.values(Resources).filter(({ DeletionPolicy = 'Delete' }) => DeletionPolicy !== 'Delete'),
    )
    expect([...new Set(retained.map(({ Type }) => Type))].toSorted()).toEqual([
      'AWS::Backup::BackupVault',
      'AWS::DynamoDB::Table',
      'AWS::KMS::Key',
      'AWS::KMS::ReplicaKey',
      'AWS::Logs::LogGroup',
      'AWS::S3::Bucket',
      'AWS::SecretsManager::Secret',
    ])
  })
})

describe('arguments', () => {
  it.each([
    [[], 'leftovers needs STACK. See --help.'],
    [['a', 'b'], 'leftovers takes one STACK, but 2 were given.'],
    [['arn:aws:x'], 'STACK must be the name of a CloudFormation stack.'],
    [['Latchkey', '--remove'], '--remove needs a value.'],
    [
      ['Latchkey', '--remove', 'latchkey'],
      '--remove must repeat the name of the stack. Nothing was removed.',
    ],
    [['Latchkey', '--remvoe', 'Latchkey'], 'Unknown option --remvoe. Did you mean --remove? See --help.'],
  ])('%j: %s', (args, sentence) => {
    expect(() => readLeftoversArguments(args)).toThrow(sentence)
  })

  it('are in the help, which fits a terminal', () => {
    const help = readLeftoversArguments(['--help'])
    const text = help.name === 'help' ? help.text : ''
    for (const name of [...Object.keys(leftovers.options), ...Object.keys(leftovers.environment)])
      expect(text).toContain(name)
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})
