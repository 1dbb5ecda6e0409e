import { createHash } from 'node:crypto'
import { nameMessageFile } from '../../lib/i18n/languages.ts'

/** What a section of a page loads when it is opened, beyond what the page has. */
export interface SectionFiles {
  readonly name: string
  readonly scripts: readonly string[]
  readonly parts: readonly string[]
}

/** Stands in the names of files for the language, which the page knows. */
const language = 'LANGUAGE'

/**
 * Writes a script that loads the files of the section in the address while those of the page are on their way. Otherwise each
 * would be asked for only after the one before it ran. Returns the name of the script and its text.
 */
export const writeSectionPreload = (
  page: string,
  sections: readonly SectionFiles[],
  messagesVersion: string,
): readonly [string, string] => {
  const files = sections.map(({ name, scripts, parts }) => [
    name,
    [...scripts, ...parts.map((part) => nameMessageFile(part, language, messagesVersion))],
  ])
  const text = [
    `const files=new Map(${JSON.stringify(files)})`,
    "const name=location.hash.split(/[/?]/)[1]||'overview'",
    'for(const file of files.get(name)??[]){',
    "const link=document.createElement('link')",
    "link.rel='modulepreload'",
    `link.href=new URL(file.replace('${language}',document.documentElement.lang),import.meta.url)`,
    'document.head.append(link)',
    '}',
  ].join('\n')
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return [`preload-${page}-${hash}.js`, text]
}
