/** Describes a statement of a role in the same way for each account: what CloudFormation fills in is `*`. */
export const describeStatement = (statement: unknown): string => JSON.stringify(sortFields(fillIn(statement)))

const fillIn = (part: unknown): unknown => {
  if (Array.isArray(part)) {
    const parts = part.map(fillIn)
    return parts.length === 1 ? parts[0] : parts
  }
  if (typeof part !== 'object' || part === null) return part
  const [[name, value] = ['', undefined]] = Object.entries(part)
  if (name === 'Fn::Join') {
    const [separator, parts] = value as readonly [string, readonly unknown[]]
    return parts.map((one) => (typeof one === 'string' ? one : '*')).join(separator)
  }
  if (name === 'Ref' || name.startsWith('Fn::')) return '*'
  return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fillIn(inner)]))
}

const sortFields = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(sortFields)
  if (typeof part !== 'object' || part === null) return part
  const sorted = Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(sorted.map(([key, value]) => [key, sortFields(value)]))
}
