import { fileURLToPath } from 'node:url'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { openApi } from '../../lib/features/pages/open-api.prebuilt.ts'

const configPath = fileURLToPath(new URL('../../redocly.yaml', import.meta.url))

const lintWithRedocly = async (source: string): Promise<readonly string[]> => {
  const config = await loadConfig({ configPath })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.map(
    ({ ruleId, message, location }) => `redocly ${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
  )
}

/** Checks all rules, also those that Spectral does not recommend. None is left out. */
const lintWithSpectral = async (source: string): Promise<readonly string[]> => {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'all']] })
  const results = await spectral.run(source)
  return results.map(({ code, message, path }) => `spectral ${code}: ${message} #/${path.join('/')}`)
}

// Checks the OpenAPI document with two linters. Every error and every warning fails.
const source = JSON.stringify(openApi)
const problems = [...(await lintWithRedocly(source)), ...(await lintWithSpectral(source))]
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.stdout.write(`The OpenAPI document has ${problems.length} errors and warnings.\n`)
if (problems.length > 0) process.exitCode = 1
