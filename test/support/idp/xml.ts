import { randomBytes } from 'node:crypto'

/** Escapes text for an element or an attribute. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Formats the attributes of a tag, each after a space. Attributes with the value null are omitted. */
export const attributes = (values: Readonly<Record<string, string | null | undefined>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(value ?? '')}"`)
    .join('')

/** Creates an element with text, or an empty text if there is none. */
export const textElement = (name: string, text: string | null, tail = ''): string =>
  text === null ? '' : `<${name}${tail}>${escaped(text)}</${name}>`

/** Creates an XML ID, which must not start with a digit (xs:ID). */
export const newId = (): string => `_${randomBytes(20).toString('hex')}`

/** Formats a SAML time, in seconds from now (Core 1.3.3). */
export const timeIn = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()

/** Returns the text of the first element of this name. */
export const elementIn = (xml: string, name: string): string => {
  const found = new RegExp(`<${name}[\\s>][\\s\\S]*?</${name}>`).exec(xml)?.[0]
  if (found === undefined) throw new Error(`there is no ${name} in the message`)
  return found
}

/** Replaces a part once, and fails if it is missing, because the test could not fail without the change. */
export const replaced = (xml: string, part: string | RegExp, by: string): string => {
  const changed = xml.replace(part, () => by)
  if (changed === xml) throw new Error(`the message has no ${part} to be replaced`)
  return changed
}
