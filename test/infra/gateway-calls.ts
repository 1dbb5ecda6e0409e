import type { JsonValue } from '../support/client.ts'
import type { Resource, Template } from './synthesis.ts'

/** The templates of a stack and its nested stacks, by name. */
export type Templates = ReadonlyMap<string, Template>

/** What an update does to a resource. */
export interface Change {
  readonly id: string
  readonly type: string
  readonly action: 'create' | 'update' | 'delete'
}

/** Lists what CloudFormation does to get from one version of all templates to the next. */
export const listChanges = (before: Templates, after: Templates): readonly Change[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((stack) => {
    const [old, next] = [before.get(stack)?.Resources ?? {}, after.get(stack)?.Resources ?? {}]
    return [...new Set([...Object.keys(old), ...Object.keys(next)])].flatMap((id): readonly Change[] => {
      const [earlier, later] = [old[id], next[id]]
      if (!later) return [{ id, type: earlier?.Type ?? '', action: 'delete' }]
      if (!earlier) return [{ id, type: later.Type, action: 'create' }]
      return JSON.stringify(earlier) === JSON.stringify(later)
        ? []
        : [{ id, type: later.Type, action: 'update' }]
    })
  })

/**
 * The most calls to API Gateway that a change of a resource takes: the change itself, one for its tags, and those by which
 * CloudFormation reads it before and after. An API with a definition is imported as a whole, and then updated.
 */
const callsFor: Readonly<Record<string, number>> = {
  'AWS::ApiGatewayV2::Api': 5,
  'AWS::ApiGatewayV2::ApiMapping': 3,
  'AWS::ApiGatewayV2::Deployment': 3,
  'AWS::ApiGatewayV2::DomainName': 4,
  'AWS::ApiGatewayV2::Stage': 4,
}

/** @throws Error for a resource of API Gateway that is in no list */
export const countGatewayCalls = (changes: readonly Change[]): number =>
  changes.reduce((sum, { id, type }) => {
    if (!type.startsWith('AWS::ApiGateway')) return sum
    const calls = callsFor[type]
    if (calls === undefined) throw new Error(`${id} is a ${type}. Add its calls to callsFor.`)
    return sum + calls
  }, 0)

/** The names that a part of a template refers to. */
const listReferences = (part: JsonValue): readonly string[] => {
  if (part === null || typeof part !== 'object') return []
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Sub': text } = part
  const sub = [text].flat()[0]
  return [
    ...(typeof Ref === 'string' ? [Ref] : []),
    ...(Array.isArray(attribute) ? [attribute[0]] : []),
    ...(typeof sub === 'string' ? [...sub.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name) : []),
    ...Object.values(part).flatMap((value) => listReferences(value as JsonValue)),
  ]
}

/**
 * Lists what CloudFormation creates or updates before a resource, directly or indirectly.
 *
 * @throws Error for a circle, which CloudFormation refuses
 */
export const listBefore = ({ Resources }: Template, id: string): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (one: string, path: readonly string[]): void => {
    if (path.includes(one)) throw new Error(`${[...path, one].join(' needs ')}.`)
    if (found.has(one)) return
    const { Properties, DependsOn } = Resources[one] as Resource
    for (const other of new Set([...listReferences(Properties ?? {}), ...[DependsOn ?? []].flat()]))
      if (Object.hasOwn(Resources, other)) visit(other, [...path, one])
    found.add(one)
  }
  visit(id, [])
  found.delete(id)
  return found
}
