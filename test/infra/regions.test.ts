import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createApp } from '../../infra/app.ts'
import { regionsWithoutFunctionUrls } from '../../infra/parts/function-urls.ts'
import { invokedAlias, urlAlias } from '../../lib/features/configuration/door.models.ts'
import { deployTo } from './region-template.ts'
import { readTemplates, resourcesOf, type Template, writeEmptyBundles } from './synthesis.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-regions-'))
afterAll(() => rmSync(folder, { recursive: true }))
const bundleDir = writeEmptyBundles(join(folder, 'bundles'))

const synthesize = (region?: string): Template => {
  const outdir = join(folder, region ?? 'any')
  createApp({ outdir, bundleDir, context: region ? { region } : {} }).synth()
  const template = readTemplates(outdir).get('Latchkey')
  if (!template) throw new Error('there is no stack')
  return template
}

/** What a deployment has of function URLs. */
const describeUrls = (template: Template) => ({
  urls: resourcesOf(template, 'AWS::Lambda::Url').length,
  aliases: resourcesOf(template, 'AWS::Lambda::Alias').map(([, { Properties }]) => Properties.Name),
  outputs: Object.keys(template.Outputs).flatMap((id) => /^Auth(Config(?:Url|AliasArn))/.exec(id)?.[1] ?? []),
})
const withUrls = {
  urls: 1,
  aliases: [urlAlias],
  outputs: ['ConfigUrl'],
}

const anywhere = synthesize()

describe('a template that does not know its region', () => {
  it.each(regionsWithoutFunctionUrls)('has aliases in place of URLs in %s', (region) => {
    expect(describeUrls(deployTo(region, anywhere))).toMatchObject({
      urls: 0,
      aliases: [invokedAlias],
      outputs: ['ConfigAliasArn'],
    })
  })

  it.each(['eu-west-1', 'us-east-1', 'ap-southeast-2', 'ca-central-1'])('has URLs in %s', (region) => {
    expect(describeUrls(deployTo(region, anywhere))).toEqual(withUrls)
  })

  it('grows by few resources', () => {
    expect(Object.keys(anywhere.Resources).length).toBeLessThanOrEqual(160)
    expect(JSON.stringify(anywhere)).not.toContain('"Export"')
  })
})

describe('a template that knows its region', () => {
  it.each(['eu-central-2', 'ap-east-2'])('has no URL in %s, and no condition', (region) => {
    const template = synthesize(region)
    expect(describeUrls(deployTo(region, template))).toMatchObject({ urls: 0 })
    expect(JSON.stringify(template)).not.toMatch(/FunctionUrls|AWS::Lambda::Url/)
  })

  it('has URLs and no other alias elsewhere', () => {
    const template = synthesize('eu-west-1')
    expect(describeUrls(deployTo('eu-west-1', template))).toEqual(withUrls)
    // The model refuses what a region lacks.
    expect(() => deployTo('eu-south-2', template)).toThrow('which eu-south-2 does not have')
  })
})

it('the guide lists the regions', () => {
  const [, section = ''] = readFileSync('docs/deploy.md', 'utf8').split('### Regions without function URLs\n')
  const listed = section.split('\n### ', 1)[0]?.match(/`[a-z]+-[a-z]+-\d`/g)
  expect(listed).toEqual(regionsWithoutFunctionUrls.map((region) => `\`${region}\``))
})
