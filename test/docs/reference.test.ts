import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { generatedPages } from '../../build/docs/pages.ts'
import { problemKinds } from '../../lib/http/problem.ts'
import { reasons } from '../../lib/kernel/errors/reasons.ts'
import { readConfig } from '../../lib/kernel/settings/config.ts'
import { internalSettings } from '../../lib/kernel/settings/internal-settings.ts'
import { localSettings } from '../../lib/kernel/settings/local-settings.ts'
import { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import { type AnySetting, variableOf } from '../../lib/kernel/settings/setting.ts'
import { readSettingTexts } from '../../lib/kernel/settings/setting-texts.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'
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

describe('the settings tables', () => {
  const tables = { ...serviceSettings, ...internalSettings, ...localSettings }
  const variables = Object.entries<AnySetting>(tables).map(([name, setting]) => variableOf(name, setting))

  it('have every environment variable that the service reads, and no other', () => {
    const names = new Set<string>()
    const environment = (values: Readonly<Record<string, string>>) =>
      new Proxy(values, {
        get: (target, name) => {
          names.add(String(name))
          return Reflect.get(target, name)
        },
      })
    readConfig(environment({ TABLE_NAME: 't', PUBLIC_URL: 'http://localhost:3000' }))
    readSettings(environment({}))
    expect([...names].sort()).toEqual(variables.sort())
  })

  it('have a sentence about each setting', () => {
    const files = { 'service-settings': serviceSettings, 'stack-settings': stackSettings }
    const more = { 'local-settings': localSettings, 'internal-settings': internalSettings }
    for (const [file, table] of Object.entries({ ...files, ...more })) {
      const texts = readSettingTexts(file, Object.keys(table))
      expect([...texts.keys()]).toEqual(Object.keys(table))
      for (const text of texts.values()) expect(text).toMatch(/^[A-Z].*\.$/)
    }
  })
})

describe('the reasons table', () => {
  it('names existing error codes only', () => {
    const codes = [...reasons.values()].flatMap((reason) => reason.codes)
    expect(codes.filter((code) => !(code in problemKinds))).toEqual([])
  })
})
