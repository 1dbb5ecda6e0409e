import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBackupProblems } from '../../infra/parts/backup.ts'
import { openTable } from '../../lib/kernel/table/open-table.ts'
import { environmentOf, makeFolder, runAudit, runTable } from '../cli/command.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import { clientOf, type JsonValue } from '../support/client.ts'
import { readItems } from '../support/table-copies.ts'
import { adminPassword, type Deployment, deploy } from './deployment.ts'
import { resourcesOf, shareSynthesis, stackSettings, type Template } from './synthesis.ts'

/* A service with backups in a second region, and what is left of it when its own region fails. */

const synthesis = await shareSynthesis('backedUp')
const { template, templateOf } = synthesis
const vaultStack = templateOf('LatchkeyBackupVault')
const keyStack = templateOf('LatchkeyBackupKeys')

/** The statements of all policies of a template about who may use its topics, keys and roles. */
const listStatements = ({ Resources }: Template): readonly JsonValue[] =>
  Object.values(Resources).flatMap(({ Properties }) =>
    ['PolicyDocument', 'KeyPolicy', 'AssumeRolePolicyDocument'].flatMap(
      (property) => Properties?.[property]?.Statement ?? [],
    ),
  )

const isForBackups = ({ Principal }: JsonValue): boolean =>
  [Principal?.Service].flat().includes('backup.amazonaws.com')

describe('the stacks', () => {
  it('copy each daily backup to the vault of the other stack, which no export protects', () => {
    const [[vaultId = ''] = []] = resourcesOf(vaultStack, 'AWS::Backup::BackupVault')
    const [[, plan] = []] = resourcesOf(template, 'AWS::Backup::BackupPlan')
    const [daily, monthly] = plan?.Properties.BackupPlan.BackupPlanRule ?? []
    expect(daily).toMatchObject({
      Lifecycle: { DeleteAfterDays: 35 },
      CopyActions: [{ Lifecycle: { DeleteAfterDays: 7 } }],
    })
    const { StackName, OutputName, Region } =
      daily.CopyActions[0].DestinationBackupVaultArn['Fn::GetStackOutput']
    expect([StackName, Region]).toEqual([expect.stringContaining('LatchkeyBackupVault'), 'eu-west-1'])
    expect(vaultStack.Outputs[OutputName]?.Value).toEqual({ 'Fn::GetAtt': [vaultId, 'BackupVaultArn'] })
    expect(vaultStack.Outputs[OutputName]).not.toHaveProperty('Export')
    expect(monthly).not.toHaveProperty('CopyActions')
  })

  it('report copies that failed, to a topic that AWS Backup may use', () => {
    const [[, vault] = []] = resourcesOf(template, 'AWS::Backup::BackupVault')
    const [[topicId] = []] = resourcesOf(template, 'AWS::SNS::Topic')
    expect(vault?.Properties.Notifications).toEqual({
      BackupVaultEvents: ['COPY_JOB_FAILED'],
      SNSTopicArn: { Ref: topicId },
    })
    const statements = listStatements(template).filter(isForBackups)
    expect(statements.map(({ Action }) => Action)).toEqual(
      expect.arrayContaining(['sns:Publish', ['kms:Decrypt', 'kms:GenerateDataKey']]),
    )
  })

  it('serve AWS Backup only while it works for their account', () => {
    const statements = [template, vaultStack, keyStack].flatMap(listStatements).filter(isForBackups)
    const trusted = statements.filter(({ Action }) => Action === 'sts:AssumeRole')
    expect([statements.length, trusted.length]).toEqual([4, 2])
    for (const { Condition } of statements)
      expect(Condition).toEqual({ StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } })
  })

  it('have replicas of the keys that decrypt and sign, which no export protects', () => {
    const replicas = resourcesOf(keyStack, 'AWS::KMS::ReplicaKey')
    expect(replicas.map(([id]) => id)).toEqual(['VaultKey', 'AuditKey'])
    for (const [id, { Properties }] of replicas) {
      const [primary] = resourcesOf(template, 'AWS::KMS::Key').filter(([key]) => key.startsWith(`Auth${id}`))
      expect(primary?.[1].Properties.MultiRegion).toBe(true)
      const { StackName, OutputName } = Properties.PrimaryKeyArn['Fn::GetStackOutput']
      expect(StackName).toContain('Latchkey')
      expect(template.Outputs[OutputName]?.Value).toEqual({ 'Fn::GetAtt': [primary?.[0], 'Arn'] })
      expect(template.Outputs[OutputName]).not.toHaveProperty('Export')
    }
  })

  it('keep the vault and the keys when they are deleted', () => {
    for (const [from, types] of [
      [vaultStack, ['AWS::Backup::BackupVault', 'AWS::KMS::Key']],
      [keyStack, ['AWS::KMS::ReplicaKey']],
    ] as const)
      for (const type of types)
        for (const [, resource] of resourcesOf(from, type))
          expect([resource.DeletionPolicy, resource.UpdateReplacePolicy]).toEqual([
            'RetainExceptOnCreate',
            'Retain',
          ])
  })

  it('break no rule of AwsSolutions without a stated reason', () => {
    expect(synthesis.messages).toEqual([])
  })
})

describe('the setting backupRegion', () => {
  const settings = { backup: true, backupRegion: 'eu-west-1' }
  const single = 'arn:aws:kms:eu-central-1:111122223333:key/example'

  it.each([
    [{ ...settings, backup: false }, 'backupRegion requires backup.'],
    [
      { ...settings, backupRegion: 'eu-central-1' },
      'backupRegion must be another region than that of the stack, eu-central-1.',
    ],
    [{ ...settings, vaultKeyArn: single }, 'backupRegion requires that vaultKeyArn is a multi-Region key'],
    [{ ...settings, auditKeyArn: single }, 'backupRegion requires that auditKeyArn is a multi-Region key'],
  ])('is refused with %j', (given, problem) => {
    expect(findBackupProblems(given, 'eu-central-1')).toEqual([expect.stringContaining(problem)])
  })

  it('accepts adopted keys that have replicas', () => {
    const vaultKeyArn = single.replace('example', 'mrk-example')
    expect(findBackupProblems({ ...settings, vaultKeyArn }, 'eu-central-1')).toEqual([])
    expect(findBackupProblems({}, 'eu-central-1')).toEqual([])
  })
})

describe('the service that is restored in the second region', () => {
  const hour = 60 * 60_000
  const authenticator = newAuthenticator()
  const { auditKeyArn, table } = stackSettings.restored
  const tableName = table.name
  let offset = -3 * hour
  let first: Deployment
  let second: Deployment
  const engine = process.env['DYNAMODB_ENDPOINT'] ?? ''
  const options = { readClock: () => ({ now: Date.now() + offset, isFrozen: false }), testKeyId: 'local' }
  const invoke = async (deployment: Deployment, name: string, event: object = {}) => {
    const [, found] = [...deployment.functions].find(([id]) => id.startsWith(`Auth${name}Function`)) ?? []
    await found?.invoke(event)
    return found?.log() ?? ''
  }
  const signIn = async (deployment: Deployment, ahead?: number) => {
    const otp = ahead === undefined ? {} : { otp: authenticator.code(ahead) }
    const body = { username: 'admin', password: adminPassword, ...otp }
    return clientOf(deployment.url)('POST', '/api/2/auth/login', { body })
  }
  const verify = (checkpoint: string) => {
    const [id = ''] = second.functions.keys()
    const { AWS_ENDPOINT_URL_KMS = '' } = second.environmentOf(id)
    return runAudit(['verify', '--table', tableName, '--expect', checkpoint], {
      ...environmentOf(),
      AUDIT_KEY_ID: auditKeyArn,
      AWS_ENDPOINT_URL_KMS,
    })
  }
  const newestCheckpoint = (log: string) =>
    [...log.matchAll(/"checkpoint":"(\d+:[\w-]{43})"/g)].at(-1)?.[1] ?? 'none'

  beforeAll(async () => {
    first = await deploy(synthesis, engine, options)
    const event = { RequestType: 'Create', ResponseURL: first.responseUrl, RequestId: 'Create' }
    await invoke(first, 'FirstAdmin', event)
    await invoke(first, 'SigningKeys')
    const call = clientOf(first.url)
    const bearer = (await signIn(first)).body.session_key
    const body = { key: authenticator.key, otp: authenticator.code(offset / 30_000) }
    expect((await call('POST', '/api/2/users/1/totp', { bearer, body })).status).toBe(200)
    expect((await call('GET', '/api/2/health?deep=true', { bearer })).status).toBe(200)
    offset += hour
    await invoke(first, 'AuditChain')
    // The backup, its copy in the other region, and the restore there.
    const items = await readItems(first.tableName)
    second = await deploy(await shareSynthesis('restored'), engine, {
      ...options,
      keyMaterial: first.kms.material,
    })
    const table = openTable({ tableName, endpoint: engine })
    for (let from = 0; from < items.length; from += 50)
      await table.transact(items.slice(from, from + 50).map((put) => ({ put })))
  })
  afterAll(async () => {
    await first?.close()
    await second?.close()
  })

  it('signs users in with the second factors that the replica of the vault key decrypts', async () => {
    const folder = makeFolder()
    const args = ['end-credentials', '--restored', '--table', tableName]
    const ended = await runTable(args, environmentOf(), folder.path)
    folder.remove()
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: expect.any(String) })
    const signedIn = await signIn(second, offset / 30_000)
    expect(signedIn.status).toBe(200)
    const health = await clientOf(second.url)('GET', '/api/2/health?deep=true', {
      bearer: signedIn.body.session_key,
    })
    expect(health.body.checks).toMatchObject([
      { name: 'table', status: 'ok' },
      { name: 'vault', status: 'ok' },
      { name: 'mail', status: 'off' },
    ])
    expect(second.takeDenials()).toEqual([])
  })

  it('continues the audit log with the replica of the audit key', async () => {
    const copied = newestCheckpoint(await invoke(first, 'AuditChain'))
    expect(await verify(copied)).toMatchObject({ code: 0 })
    offset += 2 * hour
    const continued = newestCheckpoint(await invoke(second, 'AuditChain'))
    expect(continued).toMatch(/^2:/)
    const { code, stdout } = await verify(continued)
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('No tampering was found.') })
    expect(stdout).toMatch(/^[1-9]\d* events signed/m)
    expect(second.takeDenials()).toEqual([])
  })

  it('still has the keys of JWTs', async () => {
    const { body } = await clientOf(second.url)('GET', '/.well-known/jwks.json')
    const { body: earlier } = await clientOf(first.url)('GET', '/.well-known/jwks.json')
    expect(body.keys).toEqual(earlier.keys)
    expect(body.keys.length).toBeGreaterThan(0)
  })
})
