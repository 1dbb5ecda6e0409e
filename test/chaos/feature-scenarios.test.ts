import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { scenarios as soakScenarios } from '../../bench/soak/run-soak.ts'
import * as credentials from './credential-lives.ts'
import * as directory from './directory-lives.ts'
import { chaosScenarios, featureScenarios } from './feature-scenarios.ts'
import * as memberships from './membership-lives.ts'

it('each feature that stores records has a scenario, or a reason why not', () => {
  const files = globSync('lib/{accounts,features}/**/{,*.}records.ts').map((file) => file.split('/'))
  const features = new Set(files.map(([, floor, feature]) => (floor === 'accounts' ? floor : feature)))
  expect(features.size).toBeGreaterThan(15)
  expect(Object.keys(featureScenarios).sort()).toEqual([...features].sort())
  const empty = Object.entries(featureScenarios).filter(
    ([, row]) => 'chaos' in row && row.chaos.length + row.soak.length === 0,
  )
  expect(empty).toEqual([])
})

it('each scenario of the storms belongs to one feature', () => {
  const lives = [credentials, directory, memberships].flatMap((file) => Object.values(file))
  expect(new Set(chaosScenarios)).toEqual(new Set(lives))
  expect(chaosScenarios).toHaveLength(lives.length)
  const soak = Object.values(featureScenarios).flatMap((row) => ('soak' in row ? row.soak : []))
  expect(new Set(soak)).toEqual(new Set(soakScenarios.map(([scenario]) => scenario)))
  expect(soak).toHaveLength(soakScenarios.length)
})
