import { contextSettings } from '../../infra/settings/context-settings.ts'
import { localSettings } from '../../local/local-settings.ts'
import { constructProps } from './construct-props.ts'
import { code, markdownTable, page } from './markdown.ts'

export const settingsPage = (): string =>
  page(
    'Settings',
    '[Configuration](../configuration.md) explains how to set them.',
    '## Local mode',
    'Environment variables of `npm start`.',
    markdownTable(
      ['variable', 'default', 'meaning'],
      Object.entries(localSettings).map(([name, setting]) => [
        code(name),
        setting.default,
        setting.description,
      ]),
    ),
    '## Deployment',
    'Settings of `npm run deploy`: keys of `config/<stage>.json`, or of the CDK context as `-c key=value`. In the file, lists and numbers may be JSON values.',
    markdownTable(
      ['key', 'meaning'],
      Object.entries(contextSettings).map(([name, text]) => [code(name), text]),
    ),
    '## Construct props',
    'Props of `new AuthService(scope, id, props)` from `infra/auth-service.ts`, for a stack of your own. All are optional.',
    markdownTable(
      ['prop', 'type', 'meaning'],
      constructProps().map(({ name, type, description }) => [code(name), code(type), description]),
    ),
  )
