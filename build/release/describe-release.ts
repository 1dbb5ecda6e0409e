import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeStatement } from '../../infra/grants/describe-statement.ts'
import { findScript, findStylesheet } from '../../lib/features/pages/find-file.ts'
import { defaultLanguage, nameMessageFile, nameScriptFolder } from '../../lib/kernel/i18n/languages.ts'
import { resourcesOf, type Synthesis } from '../../test/infra/synthesis.ts'
import { routesOf } from '../../test/runner/template-routes.ts'
import type { PageAssets } from '../pages/build-app.ts'

/** What `latchkey verify --release` reads. */
interface ReleaseParts {
  readonly functions: Readonly<Record<string, string>>
  readonly pages: Readonly<Record<string, string>>
  readonly grants: Readonly<Record<string, string[]>>
  readonly routes: Readonly<Record<string, string>>
}

type Templates = Pick<Synthesis, 'template' | 'permissions'>

/** Returns the SHA-256 of the zip file of each function, as Lambda shows it. */
export const digestFunctions = (folder: string): ReleaseParts['functions'] =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith('.zip'))
      .sort()
      .map((file) => [
        file.replace(/\.zip$/, ''),
        createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('base64'),
      ]),
  )

/** Returns the SHA-256 of the stylesheets and of the English scripts, by their paths. */
export const digestPages = async (assets: PageAssets): Promise<ReleaseParts['pages']> => {
  const folder = nameScriptFolder(defaultLanguage, assets.messagesVersion)
  const scripts = [
    ...Object.keys(assets.scripts),
    ...Object.keys(assets.messages[defaultLanguage] ?? {}).map(nameMessageFile),
  ]
  const files = await Promise.all([
    ...scripts.map(async (name) => [`/assets/js/${folder}/${name}`, await findScript(folder, name)] as const),
    ...Object.keys(assets.stylesheets).map(
      async (name) => [`/assets/css/${name}`, await findStylesheet(name)] as const,
    ),
  ])
  const digests = files.map(
    ([path, text = '']) => [path, createHash('sha256').update(text).digest('hex')] as const,
  )
  return Object.fromEntries(digests.sort(byName))
}

/** Lists what roles and routes are in each account, from stacks with different settings. */
export const describeTemplates = (stacks: readonly Templates[]): Pick<ReleaseParts, 'grants' | 'routes'> => {
  const grants = new Map<string, Set<string>>()
  const routes = new Map<string, string>()
  for (const stack of stacks) {
    const { Resources } = stack.template
    const functions = resourcesOf(stack.template, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) => {
      const [, name] = /^Latchkey: ([\w-]+)$/.exec(Properties.Description) ?? []
      return name === undefined ? [] : [[id, { name, Properties }] as const]
    })
    for (const [, { name, Properties }] of functions) {
      const known = grants.get(name) ?? new Set<string>()
      const role = Resources[Properties.Role['Fn::GetAtt'][0]]
      for (const { PolicyDocument } of role?.Properties.Policies ?? [])
        for (const statement of PolicyDocument.Statement) known.add(describeStatement(statement))
      grants.set(name, known)
    }
    const names = new Map(functions.map(([id, { name }]) => [id, name]))
    for (const { routeKey, target } of routesOf(stack)) routes.set(routeKey, names.get(target) ?? '')
  }
  return {
    grants: Object.fromEntries([...grants].sort(byName).map(([name, known]) => [name, [...known].sort()])),
    routes: Object.fromEntries([...routes].sort(byName)),
  }
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1
