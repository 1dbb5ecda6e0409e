import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { generatedPages } from '../../build/docs/pages.ts'
import { contextSettings } from '../../infra/settings/context-settings.ts'
import { reasons } from '../../lib/errors/reasons.ts'
import { problemKinds } from '../../lib/http/problem.ts'
import { readConfig } from '../../lib/settings/config.ts'
import { localSettings, reservedVariables } from '../../local/local-settings.ts'
import { readSettings } from '../../local/settings.ts'

const pages = [...generatedPages()]

describe('the generated documentation', () => {
  it('is all that docs/reference contains', () => {
    const paths = readdirSync('docs/reference').map((name) => `docs/reference/${name}`)
    expect(pages.map(([path]) => path)).toEqual(expect.arrayContaining(paths))
  })

  it.each(pages)('has an up-to-date %s', (path, text) => {
    expect(readFileSync(path, 'utf8'), 'run `npm run docs`').toBe(text)
  })
})

describe('the settings table', () => {
  it('lists every environment variable that the service reads, and no other', () => {
    const names = new Set<string>()
    const environment = (values: Readonly<Record<string, string>>) =>
      new Proxy(values, {
        get: (target, name) => {
          names.add(String(name))
          return Reflect.get(target, name)
        },
      })
    readConfig(environment({ TABLE_NAME: 't', PUBLIC_URL: 'http://127.0.0.1:3000' }))
    readSettings(environment({}))
    expect([...names].sort()).toEqual([...Object.keys(localSettings), ...reservedVariables].sort())
  })

  it('describes every CDK context key', () => {
    for (const text of Object.values(contextSettings)) expect(text).toMatch(/^[A-Z].*\.$/)
  })
})

describe('the reasons table', () => {
  it('names existing error codes only', () => {
    const codes = [...reasons.values()].flatMap((reason) => reason.codes)
    expect(codes.filter((code) => !(code in problemKinds))).toEqual([])
  })
})
