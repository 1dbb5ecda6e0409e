import { randomBytes } from 'node:crypto'

/** Text as it stands in an element or an attribute. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Attributes of a tag, each with a blank before it; those that are null are left out. */
export const attributes = (values: Readonly<Record<string, string | null | undefined>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(value ?? '')}"`)
    .join('')

/** An element around text; nothing at all where there is none. */
export const textElement = (name: string, text: string | null, tail = ''): string =>
  text === null ? '' : `<${name}${tail}>${escaped(text)}</${name}>`

/** An id as XML wants one: no digit first (xs:ID). */
export const newId = (): string => `_${randomBytes(20).toString('hex')}`

/** A time as SAML writes it, so many seconds from now (Core 1.3.3). */
export const timeIn = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()

/** The element of this name with all that is in it, as it is written; the first of them. */
export const elementIn = (xml: string, name: string): string => {
  const found = new RegExp(`<${name}[\\s>][\\s\\S]*?</${name}>`).exec(xml)?.[0]
  if (found === undefined) throw new Error(`there is no ${name} in the message`)
  return found
}

/** Replaces a part that has to be there, once: a change that changes nothing would make a test that can't fail. */
export const replaced = (xml: string, part: string | RegExp, by: string): string => {
  const changed = xml.replace(part, () => by)
  if (changed === xml) throw new Error(`the message has no ${part} to be replaced`)
  return changed
}
