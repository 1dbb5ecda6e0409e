import type { JsonValue } from '../support/client.ts'

/** Values that CloudFormation knows, by logical id or by `id.attribute`. */
export type Facts = Readonly<Record<string, string>>

const known = (facts: Facts, name: string): string => {
  const value = facts[name]
  if (value === undefined) throw new Error(`the test has no value for ${name}`)
  return value
}

/** Resolves `Ref`, `Fn::GetAtt`, `Fn::Join` and `Fn::Sub` in a part of a template, like a deployment. */
export const resolve = (part: JsonValue, facts: Facts): JsonValue => {
  if (Array.isArray(part)) return part.map((entry) => resolve(entry, facts))
  if (part === null || typeof part !== 'object') return part
  const [name = '', ...others] = Object.keys(part)
  if (others.length === 0) {
    if (name === 'Ref') return known(facts, part.Ref)
    if (name === 'Fn::GetAtt') return known(facts, part[name].join('.'))
    if (name === 'Fn::Join') return resolve(part[name][1], facts).join(part[name][0])
    if (name === 'Fn::Sub')
      return part[name].replaceAll(/\$\{([^}]+)\}/g, (_: string, id: string) => known(facts, id))
  }
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolve(value, facts)]))
}
