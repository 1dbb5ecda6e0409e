import { localSettings } from '../lib/kernel/settings/local-settings.ts'
import { serviceSettings } from '../lib/kernel/settings/service-settings.ts'
import { type AnySetting, settingsOn, variableOf } from '../lib/kernel/settings/setting.ts'
import { readSettingTexts } from '../lib/kernel/settings/setting-texts.ts'
import { wrapText } from './report.ts'

/* The settings in the output of `latchkey start --help`. The build of the package writes them as a text. */

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

/** The environment variables of local mode. */
export const startVariables = [...settings].map(([name, setting]) => variableOf(name, setting))

/** Every environment variable of local mode, with its text. */
export const startHelp = [...settings]
  .map(
    ([name, setting]) =>
      `  ${variableOf(name, setting)}\n${wrapText(toPlainText(texts.get(name) ?? ''), '    ')}\n`,
  )
  .join('')
