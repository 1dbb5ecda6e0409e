import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createApp } from '../../infra/app.ts'
import { shareBundles } from './shared-bundles.ts'
import { resourcesOf } from './synthesis.ts'

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
