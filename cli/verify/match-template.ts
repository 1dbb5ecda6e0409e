/*
 * A template has references in places where an account has names. This compares the two.
 */

/** Names that CloudFormation gave to resources of the stack, by their logical IDs. */
export type PhysicalNames = ReadonlyMap<string, string>

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Anything that is no wildcard: a wildcard is never the name of one resource. */
const anyName = '[^*?]*'

/** The pattern of the texts that a part of a template becomes. Undefined if it is no text. */
const toPattern = (part: unknown, names: PhysicalNames): string | undefined => {
  if (typeof part === 'string') return escapePattern(part)
  if (typeof part === 'number' || typeof part === 'boolean') return escapePattern(String(part))
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return undefined
  const [[name, value] = ['', undefined], ...others] = Object.entries(part)
  if (others.length > 0) return undefined
  if (name === 'Ref') {
    const known = names.get(String(value))
    return known === undefined ? anyName : escapePattern(known)
  }
  if (name === 'Fn::GetAtt') {
    const [id, attribute] = asArray(value)
    const known = attribute === 'Arn' ? names.get(String(id)) : undefined
    return known === undefined ? anyName : `${anyName}[:/]${escapePattern(known)}`
  }
  if (name === 'Fn::Join') {
    const [separator, parts] = asArray(value)
    return asArray(parts)
      .map((one) => toPattern(one, names) ?? anyName)
      .join(escapePattern(String(separator)))
  }
  if (name === 'Fn::Sub')
    return String(asArray(value)[0])
      .split(/\$\{[^}]+\}/)
      .map(escapePattern)
      .join(anyName)
  return name.startsWith('Fn::') && name !== 'Fn::If' ? anyName : undefined
}

/** Whether an account has what a part of the template says. */
export const matchesTemplate = (part: unknown, found: unknown, names: PhysicalNames): boolean => {
  const pattern = toPattern(part, names)
  if (pattern !== undefined)
    return ['string', 'number', 'boolean'].includes(typeof found)
      ? new RegExp(`^${pattern}$`).test(String(found))
      : Array.isArray(found) && found.length === 1 && matchesTemplate(part, found[0], names)
  if (Array.isArray(part)) {
    const others = asArray(found)
    return (
      others.length === part.length && part.every((one, index) => matchesTemplate(one, others[index], names))
    )
  }
  if (typeof part !== 'object' || part === null) return part === found
  if ('Fn::If' in part)
    return asArray(part['Fn::If'])
      .slice(1)
      .some((one) => matchesTemplate(one, found, names))
  if (typeof found !== 'object' || found === null) return false
  const [expected, existing] = [Object.entries(part), new Map(Object.entries(found))]
  return (
    expected.length === existing.size &&
    expected.every(([key, value]) => existing.has(key) && matchesTemplate(value, existing.get(key), names))
  )
}
