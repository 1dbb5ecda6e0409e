import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packages } from '../../build/package/packages.ts'

/** A name that a package exports. */
export interface PublicExport {
  readonly packageName: string
  readonly name: string
  /** The code of its `@example`, if it has one. */
  readonly example: string | undefined
}

/** Types of the operations, whose examples are in the reference. */
const isGenerated = (path: string): boolean => path.includes('/generated/')

/** All exports of the packages, except the generated types of the operations. */
export const listPublicExports = (): readonly PublicExport[] =>
  Object.values(packages).flatMap(({ name: packageName, entry }) => {
    const path = `${entry}.ts`
    const text = readFileSync(path, 'utf8')
    const declared = [...text.matchAll(/^export (?:const|interface|type|class) (\w+)/gm)]
    const imported = [...text.matchAll(/^(?:import|export) (?:type )?\{([^}]+)\} from '(\.[^']+)'/gm)]
    // An entry imports only what it exports.
    return [
      ...declared.map(([, name = '']) => ({ name, file: path })),
      ...imported
        .map(([, names = '', from = '']) => ({ names, file: join(dirname(path), from) }))
        .filter(({ file }) => !isGenerated(file) && !hasOwnCode(text))
        .flatMap(({ names, file }) =>
          [...names.matchAll(/(?:type )?(\w+)/g)].map(([, name = '']) => ({ name, file })),
        ),
    ].map(({ name, file }) => ({ packageName, name, example: readExample(file, name) }))
  })

const hasOwnCode = (text: string): boolean => /^export (?:const|interface|class) /m.test(text)

const readExample = (file: string, name: string): string | undefined => {
  const text = readFileSync(file, 'utf8')
  const at = text.search(new RegExp(`^export (?:const|interface|type|class) ${name}\\b`, 'm'))
  const [comment = ''] = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n$/.exec(text.slice(0, Math.max(at, 0))) ?? []
  const [, lines] = /@example\n \* ```ts\n([\s\S]*?) \* ```/.exec(comment) ?? []
  return lines?.replaceAll(/^ \* ?/gm, '')
}
