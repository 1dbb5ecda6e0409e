import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createApp } from '../../infra/app.ts'
import type { JsonValue } from '../support/client.ts'
import { shareBundles } from './shared-bundles.ts'
import { type Resource, readTemplates, stackSettings, type Template } from './synthesis.ts'

/*
 * What remains when a stack is deleted keeps its name. A second stack, or the same one created again, could not use the name. So
 * names of such resources have the ID of the stack in them, or CloudFormation chooses them.
 */

const { folder: bundleDir } = await shareBundles()
const outdir = mkdtempSync(join(tmpdir(), 'latchkey-retained-'))
afterAll(() => rmSync(outdir, { recursive: true }))

/** The templates of all stacks and nested stacks with these settings. */
const synthesize = (name: string, context: Readonly<Record<string, unknown>>): readonly Template[] => {
  const folder = join(outdir, name)
  createApp({ outdir: folder, bundleDir, context }).synth()
  return [...readTemplates(folder).values()]
}

const { region, ...frontDoor } = stackSettings.frontDoor
const everything = {
  ...stackSettings.full,
  ...frontDoor,
  ...stackSettings.backedUp,
  ...{ region, allowedOrigins: stackSettings.full.allowedOrigins, dashboard: 'true' },
  domain: {
    ...stackSettings.frontDoor.domain,
    certificateArn: 'arn:aws:acm:local:000000000000:certificate/1',
  },
}
const templates = [
  ...Object.entries(stackSettings).flatMap(([name, context]) => synthesize(name, context)),
  ...synthesize('everything', everything),
]

const isRetained = ({ DeletionPolicy = 'Delete', UpdateReplacePolicy = 'Delete' }: Resource): boolean =>
  [DeletionPolicy, UpdateReplacePolicy].some((policy) => policy !== 'Delete')

/** Properties that name a resource in its account: `BackupVaultName`, or `Name` of a secret. */
const namesOf = ({ Properties = {} }: Resource): readonly (readonly [string, JsonValue])[] =>
  Object.entries(Properties).filter(([property]) => property.endsWith('Name'))

const retained = (from: readonly Template[]) =>
  from.flatMap(({ Resources }) => Object.entries(Resources)).filter(([, resource]) => isRetained(resource))

const listFixedNames = (from: readonly Template[]): readonly string[] =>
  retained(from).flatMap(([id, resource]) =>
    namesOf(resource)
      .filter(([, name]) => !JSON.stringify(name).includes('{"Ref":"AWS::StackId"}'))
      .map(([property, name]) => `${id} ${property} ${JSON.stringify(name)}`),
  )

describe('the resources that remain when a stack is deleted', () => {
  it('are those with data', () => {
    const types = new Set(retained(templates).map(([, { Type }]) => Type.replace('AWS::', '')))
    expect([...types].sort()).toEqual([
      'Backup::BackupVault',
      'DynamoDB::Table',
      'KMS::Key',
      'KMS::ReplicaKey',
      'Logs::LogGroup',
      'S3::Bucket',
      'SecretsManager::Secret',
    ])
  })

  it('have no fixed name, so that the stack can be created again', () => {
    expect(listFixedNames(templates)).toEqual([])
  })

  it('would be found with a fixed name', () => {
    const Properties = { BackupVaultName: 'Latchkey-76c4c7ab' }
    const vault = { Type: 'AWS::Backup::BackupVault', Properties, DeletionPolicy: 'RetainExceptOnCreate' }
    expect(listFixedNames([{ Resources: { Vault: vault }, Outputs: {} }])).toEqual([
      'Vault BackupVaultName "Latchkey-76c4c7ab"',
    ])
  })

  it('include two vaults whose names fit, and differ between stacks of one name and path', () => {
    const stackId = (id: string) => `arn:aws:cloudformation:eu-west-1:000000000000:stack/Latchkey/${id}`
    const vaults = retained(templates).filter(([, { Type }]) => Type === 'AWS::Backup::BackupVault')
    expect(new Set(vaults.map(([id]) => id))).toEqual(new Set(['AuthBackupVaultA63710E8', 'Vault23237E5B']))
    for (const [, { Properties }] of vaults) {
      const nameIn = (id: string) => resolveName(Properties.BackupVaultName, stackId(id))
      const first = nameIn('51af3dc0-da77-11e4-872e-1234567cc12b')
      expect(first).toMatch(/^Latchkey-51af3dc0-da77-11e4-872e-1234567cc12b-[\da-f]{4}$/)
      expect(first.length).toBeLessThanOrEqual(50)
      expect(nameIn('62bf4ed1-da77-11e4-872e-1234567cc12b')).not.toBe(first)
    }
  })
})

/** What CloudFormation makes of the name in a stack with this ID. */
const resolveName = (name: JsonValue, stackId: string): string => {
  if (typeof name === 'string') return name
  const [[operation, operands] = ['', []]] = Object.entries<JsonValue>(name)
  if (operation === 'Ref' && operands === 'AWS::StackId') return stackId
  if (operation === 'Fn::Split') return resolveName(operands[1], stackId)
  if (operation === 'Fn::Select')
    return resolveName(operands[1], stackId).split(operands[1]['Fn::Split'][0])[Number(operands[0])] ?? ''
  if (operation === 'Fn::Join')
    return operands[1].map((part: JsonValue) => resolveName(part, stackId)).join(operands[0])
  throw new Error(`The test does not know ${operation}.`)
}
