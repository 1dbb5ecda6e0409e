import { localSettings } from '../lib/settings/local-settings.ts'
import { serviceSettings } from '../lib/settings/service-settings.ts'
import { type AnySetting, settingsOn, variableOf } from '../lib/settings/setting.ts'
import { readSettingTexts } from '../lib/settings/setting-texts.ts'

/* The settings in the output of `latchkey start --help`. The build of the package writes them as a text. */

const columns = 80
const indent = '    '

const settings = new Map<string, AnySetting>(
  Object.entries({ ...localSettings, ...settingsOn(serviceSettings, 'local') }),
)

const texts = new Map([
  ...readSettingTexts('service-settings', Object.keys(serviceSettings)),
  ...readSettingTexts('local-settings', Object.keys(localSettings)),
])

/** Links lead to pages, which a terminal does not have. Other settings have the names of their variables. */
const toPlainText = (text: string): string =>
  text
    .replaceAll(/`(\w+)`/g, (code, name: string) => {
      const setting = settings.get(name)
      return setting ? variableOf(name, setting) : code
    })
    .replaceAll(/ See \[[^\]]*\]\([^)]*\)\./g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')

const wrap = (text: string): string => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(indent + word)
  }
  return lines.join('\n')
}

/** Every environment variable of local mode, with its text. */
export const startHelp = [...settings]
  .map(([name, setting]) => `  ${variableOf(name, setting)}\n${wrap(toPlainText(texts.get(name) ?? ''))}\n`)
  .join('')
