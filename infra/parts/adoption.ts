import { Token } from 'aws-cdk-lib'
import type { AdoptedTable } from '../../lib/kernel/settings/object-settings.ts'

/** What the stack uses instead of creating it. */
export interface Adoption {
  readonly table?: AdoptedTable
  readonly vaultKeyArn?: string
  readonly auditKeyArn?: string
  readonly otherVaultKeyArn?: string
}

const tableName = /^[\w.-]{3,255}$/
const streamForm = /^arn:aws[a-z-]*:dynamodb:([a-z\d-]+):\d{12}:table\/([\w.-]+)\/stream\/[\w:.-]+$/
/** Aliases can be moved to another key, and grants to an alias have no effect. */
const keyForm = /^arn:aws[a-z-]*:kms:([a-z\d-]+):\d{12}:key\/[\w-]+$/

/** Lists what is wrong with adopted resources, as a sentence each. `region` is that of the stack, if it is known. */
export const findAdoptionProblems = (
  { table, vaultKeyArn, auditKeyArn, otherVaultKeyArn }: Adoption,
  region: string | undefined,
): readonly string[] => {
  const keys = { 'table.keyArn': table?.keyArn, vaultKeyArn, otherVaultKeyArn, auditKeyArn }
  return [
    ...(table ? findTableProblems(table, region) : []),
    ...Object.entries(keys).flatMap(([name, arn]) => findKeyProblems(name, arn, region)),
    ...findSharedKeys(keys),
  ]
}

const isKnown = (value: string | undefined): value is string =>
  value !== undefined && !Token.isUnresolved(value)

const findTableProblems = ({ name, streamArn }: AdoptedTable, region: string | undefined): string[] => {
  const problems: string[] = []
  if (isKnown(name) && !tableName.test(name))
    problems.push(`table.name "${name}" must be the name of a table, such as Latchkey-Restored, not an ARN.`)
  if (!isKnown(streamArn)) return problems
  const [, streamRegion, streamTable] = streamForm.exec(streamArn) ?? []
  if (streamTable === undefined)
    problems.push(
      `table.streamArn "${streamArn}" must be the ARN of a stream, such as arn:aws:dynamodb:eu-central-1:111122223333:table/Latchkey-Restored/stream/2026-01-01T00:00:00.000.`,
    )
  else if (isKnown(name) && streamTable !== name)
    problems.push(`table.streamArn is the stream of ${streamTable}, but table.name is ${name}.`)
  else if (region !== undefined && streamRegion !== region)
    problems.push(`table.streamArn is in ${streamRegion}, but the stack is in ${region}.`)
  return problems
}

const findKeyProblems = (name: string, arn: string | undefined, region: string | undefined): string[] => {
  if (!isKnown(arn)) return []
  const [, keyRegion] = keyForm.exec(arn) ?? []
  if (keyRegion === undefined)
    return [
      `${name} "${arn}" must be the ARN of a KMS key, such as arn:aws:kms:eu-central-1:111122223333:key/example, not of an alias.`,
    ]
  return region !== undefined && keyRegion !== region
    ? [`${name} is in ${keyRegion}, but the stack is in ${region}.`]
    : []
}

/** Access to one of the keys must not give access to what another one protects. */
const findSharedKeys = (keys: Readonly<Record<string, string | undefined>>): string[] => {
  const known = Object.entries(keys).filter(([, arn]) => isKnown(arn))
  return known.flatMap(([name, arn], at) =>
    known
      .slice(at + 1)
      .filter(([, other]) => other === arn)
      .map(([other]) => `${name} and ${other} must be different keys.`),
  )
}
