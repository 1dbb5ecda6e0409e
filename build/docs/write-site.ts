import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { guides } from '../../lib/features/pages/guides.prebuilt.ts'
import { openApi } from '../../lib/features/pages/open-api.prebuilt.ts'
import { fillShell } from '../../lib/features/pages/reference.page.ts'
import { reference } from '../../lib/features/pages/reference.prebuilt.ts'
import { listAddresses, readGuides, renderGuide } from '../reference/guides.ts'
import type { ReferencePage } from '../reference/reference-context.ts'

/** The first page of the site is the README. */
const renderHome = () => ({
  title: 'Latchkey',
  content: `<article class="guide">${renderGuide(
    // The parser accepts no HTML, so the picture for both color schemes is written after it.
    { path: 'README.md', text: readFileSync('README.md', 'utf8').replace(picture, '![$2]($1)') },
    listAddresses(readGuides()),
    () => undefined,
  ).replace(
    /<img src="\/docs\/([\w/-]+)-light\.png"[^>]*>/,
    (image, name: string) =>
      `<picture><source media="(prefers-color-scheme: dark)" srcset="/docs/${name}-dark.png">${image}</picture>`,
  )}</article>`,
})

const picture = /<picture>[\s\S]*<img src="([^"]+)" alt="([^"]+)">\s*<\/picture>/

/**
 * Writes the documentation as files for any host of static files, with the addresses that a service gives it: `docs/guides/sessions` is
 * the file `index.html` of this folder. What was in the folder is removed.
 *
 * @example
 * ```ts
 * writeSite('site')
 * ```
 */
export const writeSite = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true })
  const write = (path: string, text: string): void => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const { shell, navigation, pages, index } = reference
  // A page cannot say in its markup who may frame it.
  const policy = String(shell.headers['content-security-policy']).replace(/; frame-ancestors 'none'/, '')
  const publicShell = {
    ...shell,
    html: shell.html.replace(
      '<meta name="robots" content="noindex">',
      () => `<meta http-equiv="content-security-policy" content="${policy}">`,
    ),
  }
  const writePage = (path: string, page: ReferencePage): void =>
    write(
      join(path, 'index.html'),
      fillShell({ shell: publicShell, navigation, page, group: page.group ?? path.replace('docs/', '') }),
    )
  writePage('', renderHome())
  for (const [name, page] of Object.entries(pages)) writePage(join('docs', name), page)
  for (const [name, page] of Object.entries(guides)) writePage(join('docs/guides', name), page)
  cpSync('docs/pictures', join(folder, 'docs/pictures'), { recursive: true })
  write('docs/search.json', JSON.stringify({ entries: index }))
  write('api/2/openapi.json', JSON.stringify(openApi))
}

if (import.meta.main) {
  writeSite('site')
  process.stdout.write('The documentation is in site/. Put its files at the root of a host.\n')
}
