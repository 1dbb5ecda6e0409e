import { brotliDecompressSync } from 'node:zlib'
import { nameMessageFile, nameScriptFolder } from '../../kernel/i18n/languages.ts'
import { readOwn } from '../../kernel/util/object-fields.ts'
import { assets } from './assets.prebuilt.ts'

type Assets = typeof assets

/** Finds a stylesheet of this release or the last two. */
export const findStylesheet = (name: string): Promise<string | undefined> =>
  findInReleases(({ stylesheets }) => readOwn(stylesheets, name))

/** Finds a script of this release or the last two, and writes the messages that it needs in the language of its folder. */
export const findScript = (folder: string, name: string): Promise<string | undefined> =>
  findInReleases(({ messagesVersion, messages: languages, scripts, publicScript }) => {
    const language = Object.keys(languages).find((one) => nameScriptFolder(one, messagesVersion) === folder)
    const messages = languages[language ?? '']
    if (messages === undefined) return undefined
    const part = Object.keys(messages).find((one) => nameMessageFile(one) === name)
    if (part !== undefined) return `export default${messages[part]}`
    const script = readOwn(scripts, name)
    if (name !== publicScript.name) return script
    const written = publicScript.parts.map((one) => `${one}:${messages[one]}`)
    return `const publicMessages={${written.join()}}\n${script}`
  })

/** Tabs load sections of the release that they were opened with, also after the service was updated. */
const findInReleases = async (find: (release: Assets) => string | undefined): Promise<string | undefined> => {
  const found = find(assets)
  if (found !== undefined) return found
  former ??= readFormerReleases()
  return (await former).map(find).find((text) => text !== undefined)
}

let former: Promise<readonly Assets[]> | undefined

const readFormerReleases = async (): Promise<readonly Assets[]> => {
  const { formerReleases } = await import('./former-releases.prebuilt.ts')
  return formerReleases.map((text) => JSON.parse(String(brotliDecompressSync(Buffer.from(text, 'base64')))))
}
