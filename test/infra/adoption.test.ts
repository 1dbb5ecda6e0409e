import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grants } from '../../infra/grants/grants.ts'
import { findAdoptionProblems } from '../../infra/parts/adoption.ts'
import { listVaultUses } from '../../infra/parts/functions.ts'
import { environmentOf, makeFolder, runTable } from '../cli/command.ts'
import { factsOf } from '../runner/template-facts.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import { clientOf } from '../support/client.ts'
import { adminPassword, type Deployment, deploy } from './deployment.ts'
import { statementsOf } from './policies.ts'
import { resourcesOf, shareSynthesis, stackSettings } from './synthesis.ts'

/* A stack that uses a table and keys that outlived another stack, or were restored. */

const {
  table: { name: tableName, streamArn: tableStreamArn, keyArn: tableKeyArn },
  vaultKeyArn,
  otherVaultKeyArn,
  auditKeyArn,
} = stackSettings.adopted
const synthesis = await shareSynthesis('adopted')
const { template } = synthesis
const tableArn = `arn:aws:dynamodb:local:000000000000:table/${tableName}`

describe('the stack', () => {
  it('creates neither the table nor the keys that it adopts, and breaks no rule', () => {
    expect(resourcesOf(template, 'AWS::DynamoDB::Table')).toEqual([])
    expect(resourcesOf(template, 'AWS::KMS::Key')).toHaveLength(1)
    expect(synthesis.messages).toEqual([])
  })

  it('gives each function only the grants on the adopted table and keys', () => {
    const facts = factsOf(template, tableName)
    const [[ownKeyId] = []] = resourcesOf(template, 'AWS::KMS::Key')
    for (const [id, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
      const name = Properties.Description.replace('Latchkey: ', '')
      const grant = Object.entries(grants).find(([key]) => key === name)?.[1]
      const statements = statementsOf(template, id, facts)
      const actionsOn = (resource: string) =>
        statements.flatMap(({ resources, actions }) => (resources.includes(resource) ? actions : []))
      expect([...new Set(actionsOn(tableArn))].sort(), name).toEqual(
        Object.keys(grant?.table ?? {})
          .map((action) => `dynamodb:${action}`)
          .sort(),
      )
      for (const { resources, conditions } of statements)
        if (resources.includes(tableKeyArn))
          expect(conditions).toEqual({ 'StringEquals kms:ViaService': 'dynamodb.local.amazonaws.com' })
      expect(actionsOn(tableKeyArn).length > 0).toBe(Object.keys(grant?.table ?? {}).length > 0)
      // Each purpose of a key has a statement.
      const vaultUses = listVaultUses(grant?.vault ?? {}).flatMap(({ actions }) => actions)
      expect(actionsOn(vaultKeyArn)).toEqual(vaultUses.map((action) => `kms:${action}`))
      const decrypted = grant?.vault?.Decrypt ?? []
      const mayDecrypt = decrypted.length > 0
      expect(actionsOn(otherVaultKeyArn)).toEqual(decrypted.map(() => 'kms:Decrypt'))
      const { KMS_OTHER_KEY_ID } = Properties.Environment.Variables
      expect(KMS_OTHER_KEY_ID).toBe(mayDecrypt ? otherVaultKeyArn : undefined)
      expect(actionsOn(auditKeyArn)).toEqual(name === 'audit-chain' ? ['kms:Sign', 'kms:GetPublicKey'] : [])
      const ownKeyStatements = statements.filter(({ resources }) =>
        resources.includes(facts[`${ownKeyId}.Arn`] ?? ''),
      )
      for (const { conditions } of ownKeyStatements)
        expect(conditions['StringEquals kms:ViaService']).not.toBe('dynamodb.local.amazonaws.com')
    }
  })

  it('follows the stream of the adopted table, and backs that table up', () => {
    const streams = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(
      ([, { Properties }]) => Properties.EventSourceArn,
    )
    expect(streams).toEqual([tableStreamArn, tableStreamArn])
    const [[, selection] = []] = resourcesOf(template, 'AWS::Backup::BackupSelection')
    expect(JSON.stringify(selection?.Properties)).toContain(`table/${tableName}`)
  })

  it('does not offer a password of a first administrator, whom the table already has', () => {
    expect(JSON.stringify(template.Outputs)).not.toContain('secretsmanager')
  })
})

describe('the deployed service', () => {
  let deployment: Deployment
  const authenticator = newAuthenticator()
  beforeAll(async () => {
    deployment = await deploy(synthesis, process.env['DYNAMODB_ENDPOINT'] ?? '')
  })
  afterAll(() => deployment?.close())

  it('works on the adopted table with the adopted keys', async () => {
    expect(deployment.tableName).toBe(tableName)
    const firstAdmin = [...deployment.functions].find(([id]) => id.startsWith('AuthFirstAdmin'))?.[1]
    const event = { RequestType: 'Create', ResponseURL: deployment.responseUrl, RequestId: 'Create' }
    await firstAdmin?.invoke(event)
    const call = clientOf(deployment.url)
    const body = { username: 'admin', password: adminPassword }
    const { body: session } = await call('POST', '/api/2/auth/login', { body })
    const bearer = session.session_key
    expect((await call('GET', '/api/2/users/me', { bearer })).status).toBe(200)
    const { key } = authenticator
    const enable = { key, otp: authenticator.code() }
    const enabled = await call('POST', '/api/2/users/1/totp', { bearer, body: enable })
    expect(enabled.status).toBe(200)
    const link = await call('POST', '/api/2/auth/access-tokens', {
      bearer,
      body: { bundles: [{ id: 1, name: 'A bundle', root: 1, path: '/a' }] },
    })
    expect(link.status).toBe(201)
    const found = await call('GET', `/api/2/auth/access-tokens/get/${link.body.token}`)
    expect(found.status).toBe(200)
    expect(deployment.takeDenials()).toEqual([])
  })

  it('ends sessions when an operator ends them in the table, as after a restore', async () => {
    const call = clientOf(deployment.url)
    const body = { username: 'admin', password: adminPassword }
    const otp = authenticator.code(1)
    const { body: session } = await call('POST', '/api/2/auth/login', { body: { ...body, otp } })
    const bearer = session.session_key
    const { ticket } = (await call('POST', '/api/2/auth/ticket', { bearer, body: {} })).body
    const folder = makeFolder()
    const args = ['end-credentials', '--restored', '--table', tableName]
    const { code, stdout } = await runTable(args, environmentOf(), folder.path)
    folder.remove()
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^users: \d+ changed$/m) })
    expect((await call('GET', '/api/2/users/me', { bearer })).status).toBe(401)
    expect((await call('POST', '/api/2/auth/ticket/check', { body: { ticket } })).status).toBe(404)
    expect(deployment.takeDenials()).toEqual([])
  })
})

describe('the settings of adopted resources', () => {
  const table = { name: tableName, streamArn: tableStreamArn }

  it('have no problems if they are valid', () => {
    const adoption = { table: { ...table, keyArn: tableKeyArn }, vaultKeyArn, auditKeyArn }
    expect(findAdoptionProblems(adoption, 'eu-west-1')).toEqual([])
    expect(findAdoptionProblems({ table }, undefined)).toEqual([])
    expect(findAdoptionProblems({}, 'eu-west-1')).toEqual([])
  })

  it.each([
    [{ table: { ...table, name: tableArn } }, /must be the name of a table/],
    [{ table: { ...table, streamArn: tableArn } }, /must be the ARN of a stream/],
    [
      { table: { ...table, name: 'Other' } },
      'table.streamArn is the stream of Latchkey-Restored, but table.name is Other.',
    ],
    [{ vaultKeyArn: 'alias/vault' }, 'not of an alias.'],
    [{ vaultKeyArn: vaultKeyArn.replace('key/', 'alias/') }, 'must be the ARN of a KMS key'],
    [
      { auditKeyArn: auditKeyArn.replace('eu-west-1', 'us-east-1') },
      'auditKeyArn is in us-east-1, but the stack is in eu-west-1.',
    ],
    [
      { table: { ...table, keyArn: vaultKeyArn }, vaultKeyArn },
      'table.keyArn and vaultKeyArn must be different keys.',
    ],
    [{ vaultKeyArn, auditKeyArn: vaultKeyArn }, 'vaultKeyArn and auditKeyArn must be different keys.'],
  ])('%j has a problem, with a sentence about it', (adoption, text) => {
    expect(findAdoptionProblems(adoption, 'eu-west-1')[0]).toMatch(text)
  })

  it('compare the region of the stream with that of the stack', () => {
    expect(findAdoptionProblems({ table }, 'us-east-1')).toEqual([
      'table.streamArn is in eu-west-1, but the stack is in us-east-1.',
    ])
  })
})
