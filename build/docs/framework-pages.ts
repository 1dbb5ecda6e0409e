import { readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'

const folder = 'docs/frameworks'

/**
 * The pages of the frameworks, by their paths. A code block that names a file, such as `file=server.mjs`, has the text of this file in
 * the example of the page: `docs/frameworks/express.md` shows `examples/express/server.mjs`.
 */
export const frameworkPages = (): readonly (readonly [path: string, text: string])[] =>
  readdirSync(folder).map((name) => {
    const path = join(folder, name)
    const example = join('examples', parse(name).name)
    return [path, showFiles(readFileSync(path, 'utf8'), example)]
  })

const showFiles = (text: string, example: string): string =>
  text.replaceAll(
    /^(```\w+ .*\bfile=(\S+)\n)[\s\S]*?^```$/gm,
    (_, start: string, file: string) => `${start}${readFileSync(join(example, file), 'utf8')}\`\`\``,
  )
