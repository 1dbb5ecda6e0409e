import { readFileSync } from 'node:fs'

interface Prop {
  readonly name: string
  readonly type: string
  readonly description: string
}

const source = new URL('../../infra/settings/auth-service-props.ts', import.meta.url)

/**
 * The props of the construct `AuthService`, read from the doc comments of its interface.
 *
 * @throws Error if a prop has no doc comment of its own.
 */
export const constructProps = (): readonly Prop[] => {
  const body = /export interface AuthServiceProps \{\n([\s\S]*?)\n\}/.exec(readFileSync(source, 'utf8'))?.[1]
  if (!body)
    throw new Error('infra/settings/auth-service-props.ts must declare the interface AuthServiceProps')
  const props = [...body.matchAll(/\/\*\* (.*) \*\/\n {2}readonly (\w+)\?: (.*)/g)].map(
    ([, description = '', name = '', type = '']) => ({ name, type, description }),
  )
  const declared = [...body.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name)
  const missing = declared.filter((name) => !props.some((prop) => prop.name === name))
  if (missing.length > 0) throw new Error(`AuthServiceProps has no doc comment for ${missing.join(', ')}`)
  return props
}
