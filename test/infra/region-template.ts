import { regionsWithoutFunctionUrls } from '../../infra/parts/function-urls.ts'
import type { JsonValue } from '../support/client.ts'
import type { Resource, Template } from './synthesis.ts'

type Conditions = Readonly<Record<string, JsonValue>>

/** What a region does not have. CloudFormation refuses resources of these types there. */
const lacking: readonly { readonly type: string; readonly regions: readonly string[] }[] = [
  { type: 'AWS::Lambda::Url', regions: regionsWithoutFunctionUrls },
]

const holds = (condition: JsonValue, conditions: Conditions, region: string): boolean => {
  const [[name = '', value] = []] = Object.entries<JsonValue>(condition)
  const each = (list: JsonValue) => list.map((one: JsonValue) => holds(one, conditions, region))
  if (name === 'Condition') return holds(conditions[value], conditions, region)
  if (name === 'Fn::Not') return !holds(value[0], conditions, region)
  // Both take from 2 to 10 conditions.
  if ((name === 'Fn::Or' || name === 'Fn::And') && value.length >= 2 && value.length <= 10)
    return name === 'Fn::Or' ? each(value).includes(true) : !each(value).includes(false)
  if (name === 'Fn::Equals') {
    const [one, other] = value.map((part: JsonValue) => (part?.Ref === 'AWS::Region' ? region : part))
    return one === other
  }
  throw new Error(`CloudFormation refuses the condition ${JSON.stringify(condition)}.`)
}

/**
 * The resources and outputs of a template in a region.
 *
 * @throws Error for a type that the region lacks, and for a reference to what does not exist there
 */
export const deployTo = (
  region: string,
  { Resources, Outputs, Conditions = {} }: Template & { readonly Conditions?: Conditions },
): Template => {
  type Part = (Resource | Template['Outputs'][string]) & { readonly Condition?: string }
  const exists = ({ Condition }: Part) => Condition === undefined || holds({ Condition }, Conditions, region)
  const choose = <Value>(part: Value): Value =>
    JSON.parse(JSON.stringify(part), (_, value) => {
      if (!Array.isArray(value?.['Fn::If'])) return value
      const [Condition, yes, no] = value['Fn::If']
      return holds({ Condition }, Conditions, region) ? yes : no
    })
  const keep = <Entry extends Part>(parts: Readonly<Record<string, Entry>> = {}) =>
    choose(Object.fromEntries(Object.entries(parts).filter(([, part]) => exists(part))))
  const kept: Template = { Resources: keep(Resources), Outputs: keep(Outputs) }
  for (const [id, { Type }] of Object.entries(kept.Resources))
    if (lacking.some((one) => one.type === Type && one.regions.includes(region)))
      throw new Error(`${id} is a ${Type}, which ${region} does not have.`)
  const text = JSON.stringify(kept)
  for (const id of Object.keys(Resources))
    if (!Object.hasOwn(kept.Resources, id) && text.includes(`"${id}"`))
      throw new Error(`The template refers to ${id}, which does not exist in ${region}.`)
  return kept
}
