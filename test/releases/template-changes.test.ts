import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { findLastRelease } from './release.ts'
import {
  findHarmfulChanges,
  type KeptResource,
  type KeptTemplates,
  keepTemplates,
  readLastTemplates,
  synthesizeTemplates,
} from './template-changes.ts'

const present = synthesizeTemplates()
const last = readLastTemplates()

/** Changes since the last release that operators accept, by the text of the problem, with the reason. Empty it after a release. */
const accepted: Readonly<Record<string, string>> = {}

it('CloudFormation accepts the update from the last release, and loses nothing', () => {
  process.stdout.write(`Templates of the last release: ${last?.version ?? 'none yet'}\n`)
  expect(findHarmfulChanges(last?.templates ?? present, present)).toEqual(Object.keys(accepted))
})

it('each release keeps its templates', () => {
  const released = findLastRelease() && packageJson.version
  expect(last?.version ?? released).toBe(last && packageJson.version)
})

it('a release writes them to a file, with its version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-kept-'))
  keepTemplates('0.1.0', join(folder, 'kept.json'))
  const written = JSON.parse(readFileSync(join(folder, 'kept.json'), 'utf8'))
  rmSync(folder, { recursive: true })
  expect(written).toEqual({ version: '0.1.0', templates: present })
})

/** Changes the resource whose ID begins like this, in the stack where it is. Without a result, the resource is removed. */
const change = (
  begin: string,
  alter: (resource: KeptResource) => KeptResource | undefined,
): KeptTemplates => {
  const { default: stacks = {} } = present
  const altered = Object.entries(stacks).map(([stack, resources]) => {
    const kept = Object.entries(resources).flatMap(([id, resource]) => {
      const after = id.startsWith(begin) ? alter(resource) : resource
      return after ? [[id, after] as const] : []
    })
    return [stack, Object.fromEntries(kept)] as const
  })
  const after = { ...present, default: Object.fromEntries(altered) }
  if (JSON.stringify(after) === JSON.stringify(present)) throw new Error(`${begin} did not change`)
  return after
}

describe('finds what CloudFormation refuses, or deletes', () => {
  it.each<readonly [title: string, after: KeptTemplates, problem: string]>([
    [
      'another type under one ID',
      change('AuthMissingSigningKeys1C0E2EFB', (rule) => ({ ...rule, type: 'AWS::CloudWatch::Alarm' })),
      'The type changed from AWS::Events::Rule to AWS::CloudWatch::Alarm. CloudFormation refuses the whole update.',
    ],
    [
      'a key that gets or loses its other regions',
      change('AuthVaultKey', (key) => ({ ...key, fixed: { ...key.fixed, MultiRegion: false } })),
      'MultiRegion changed.',
    ],
    [
      'another key schema of the table',
      change('AuthTable', (table) => ({ ...table, fixed: { ...table.fixed, KeySchema: [] } })),
      'KeySchema changed.',
    ],
    [
      'two more indexes of the table',
      change('AuthTable', (table) => ({
        ...table,
        indexes: [...(table.indexes ?? []), 'by-name name sk', 'by-age age sk'],
      })),
      'These indexes change: by-name name sk, by-age age sk.',
    ],
    [
      'other keys of an index of the table',
      change('AuthTable', (table) => ({
        ...table,
        indexes: table.indexes?.map((index) => index.replace('lsk', 'other')) ?? [],
      })),
      'These indexes change: listing lpk lsk, listing lpk other.',
    ],
    ['a lost log', change('AuthAuditChainLog', () => undefined), 'The log is deleted.'],
    [
      'a log with another name',
      change('AuthUsersLog', (log) => ({ ...log, fixed: { LogGroupName: '/latchkey/users' } })),
      'LogGroupName changed.',
    ],
    [
      'a bus that leaves the stack',
      change('AuthAuditBus', (bus) => (bus.type === 'AWS::Events::EventBus' ? undefined : bus)),
      'The AWS::Events::EventBus leaves the stack.',
    ],
  ])('%s', (_, after, problem) => {
    expect(findHarmfulChanges(present, after)).toEqual([expect.stringContaining(problem)])
  })

  it('nothing in new resources, and in those that can be created again', () => {
    const { default: stacks = {} } = present
    const added = {
      ...stacks,
      Latchkey: { ...stacks['Latchkey'], New: { type: 'AWS::SQS::Queue', isKept: true, fixed: {} } },
    }
    expect(findHarmfulChanges(present, { ...present, default: added })).toEqual([])
    const withIndex = change('AuthTable', (table) => ({
      ...table,
      indexes: [...(table.indexes ?? []), 'by-name name sk'],
    }))
    expect(findHarmfulChanges(present, withIndex)).toEqual([])
    expect(
      findHarmfulChanges(
        present,
        change('AuthUsersRole', () => undefined),
      ),
    ).toEqual([])
  })
})
