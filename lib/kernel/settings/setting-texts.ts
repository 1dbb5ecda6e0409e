import { readFileSync } from 'node:fs'

/**
 * Reads the texts of settings from the comments of a table in this folder. Functions and pages do not contain them,
 * because this runs on the sources alone, for the documentation and the help.
 *
 * @throws Error if a setting has no comment
 */
export const readSettingTexts = (
  file: string,
  names: readonly string[],
  table?: string,
): ReadonlyMap<string, string> => {
  const texts = readComments(new URL(`${file}.ts`, import.meta.url), 'setting', table)
  const missing = names.filter((name) => !texts.has(name))
  if (missing.length > 0) throw new Error(`${file}.ts has no comment for ${missing.join(', ')}`)
  return texts
}

/** The comments of the properties of a file, or of one table in it: those that have a value by a call of `setting`, or a type. */
export const readComments = (
  file: URL,
  kind: 'setting' | 'type',
  table?: string,
): ReadonlyMap<string, string> => {
  const content = readFileSync(file, 'utf8')
  const start = table === undefined ? 0 : content.indexOf(`export const ${table} = {`)
  const end = table === undefined ? content.length : content.indexOf('\n}\n', start)
  const property = kind === 'setting' ? String.raw`(\w+): setting\(` : String.raw`readonly (\w+)\?: `
  const pattern = new RegExp(String.raw`^ {2}/\*\*((?:(?!\*/)[^])*)\*/\n {2}${property}`, 'gm')
  return new Map(
    [...content.slice(start, end).matchAll(pattern)].map(([, comment = '', name = '']) => [
      name,
      comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim(),
    ]),
  )
}
