import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { functionNames } from '../../build/bundle/bundle.ts'
import { operations } from '../../lib/features/operations.ts'
import { groups } from '../../lib/kernel/contract/group.ts'

it('every function has its entry, and every entry is a function', () => {
  const entries = readdirSync('functions', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(entries.map(({ name }) => name).sort()).toEqual(functionNames())
})

it('every group has operations', () => {
  expect([...new Set(operations.map(({ group }) => group))].sort()).toEqual([...groups].sort())
})
