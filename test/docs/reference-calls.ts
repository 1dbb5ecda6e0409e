import { reference } from '../../lib/features/pages/reference.prebuilt.ts'

const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }

const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(#39|\w+);/g, (entity, name: string) => characters[name] ?? entity)

/** The calls of all operations in a language, by the ID of the operation, as readers of the reference copy them. */
export const listCalls = (language: string): ReadonlyMap<string, string> => {
  const pattern = new RegExp(
    `<h3 id="(\\w+)--call">(?:(?!</div></div>|<pre)[^])*(?:<pre(?:(?!</pre>)[^])*</pre>)*?<pre data-language="${language}"><code>([^<]*)</code>`,
    'g',
  )
  return new Map(
    Object.values(reference.pages).flatMap(({ content }) =>
      [...content.matchAll(pattern)].map(([, id = '', text = '']) => [id, unescapeHtml(text)] as const),
    ),
  )
}
