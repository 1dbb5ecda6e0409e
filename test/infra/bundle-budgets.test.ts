import { describe, expect, it } from 'vitest'
import { functionNames } from '../../build/bundle/bundle.ts'
import { describeExcess, readBudgets, setBudget } from './bundle-budgets.ts'
import { shareBundles } from './shared-bundles.ts'

const { bundles } = await shareBundles()
const budgets = readBudgets()

const output = (inputs: Readonly<Record<string, number>>) => ({
  bytes: 0,
  imports: [],
  exports: [],
  inputs: Object.fromEntries(
    Object.entries(inputs).map(([path, bytesInOutput]) => [path, { bytesInOutput }]),
  ),
})

describe('the budget of a bundle', () => {
  it.each(bundles)('of $name is kept', (bundle) => {
    expect(describeExcess(bundle, budgets[bundle.name])).toBeUndefined()
  })

  it('exists for every function and nothing else', () => {
    expect(Object.keys(budgets).sort()).toEqual(functionNames())
  })

  it('names the largest parts when it is exceeded', () => {
    const start = output({
      'lib/kernel/log/log.ts': 1200,
      'node_modules/zod/v4/core/api.js': 900,
      'node_modules/@middy/core/index.js': 300,
    })
    const bundle = { name: 'tickets', bytes: 2400, metafile: { inputs: {}, outputs: { 'index.mjs': start } } }
    expect(describeExcess(bundle, 2)).toBe(
      'tickets starts with 2.3 KB of at most 2. Largest parts: lib/kernel/log 1200, zod 900, @middy/core 300.',
    )
    expect(describeExcess(bundle, 3)).toBeUndefined()
    expect(describeExcess(bundle, undefined)).toContain('has no budget')
  })

  it('is 3 % above the size of the bundle', () => {
    expect(setBudget({ bytes: 100 * 1024 })).toBe(103)
  })
})
