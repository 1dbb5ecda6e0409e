import { languages } from '../../kernel/i18n/languages.ts'
import { listNames } from '../../kernel/util/object-fields.ts'
import { type EmailTextKind, listKindsOf } from '../mail/own-texts/kinds.models.ts'
import { type EmailTextOwner, listEmailTexts } from '../mail/own-texts/records.ts'
import { normalizeWords, replaceEmailTexts, type WordsToSave } from '../mail/own-texts/save-email-text.ts'
import { entries } from './document.models.ts'
import { type KindOfSettings, listFields, type Values } from './kind.part.ts'
import { listSettingsKeys, readProductOfTexts } from './managed.records.ts'

const fields = listFields(entries.email_texts.def.shape)

const toOwner = (key: string): EmailTextOwner => {
  const product = readProductOfTexts(key)
  return product === undefined ? { service: true } : { product }
}

const listKinds = (key: string): readonly EmailTextKind[] =>
  listKindsOf(readProductOfTexts(key) === undefined ? 'service' : 'product')

interface GivenWords {
  readonly subject?: string | null | undefined
  readonly body: string
}
type ByLanguage = Readonly<Record<string, GivenWords | undefined>>

/** The words of an entry, in the form in which they are stored. */
const listWords = (values: Values): readonly WordsToSave[] =>
  listKindsOf('service').flatMap((kind) => {
    const given = (values[kind] ?? {}) as ByLanguage
    return languages.flatMap((language) => {
      const words = given[language]
      return words ? [{ kind, language, words: normalizeWords(words) }] : []
    })
  })

/** Words by kind and language, as an entry has them. */
const toValues = (texts: readonly WordsToSave[]): Values =>
  Object.fromEntries(
    listKindsOf('service').flatMap((kind) => {
      const own = texts.filter((one) => one.kind === kind)
      const ofLanguages = own.map(({ language, words: { subject, body } }) => [
        language,
        { ...(subject !== null && { subject }), body },
      ])
      return own.length === 0 ? [] : [[kind, Object.fromEntries(ofLanguages)]]
    }),
  )

export const emailTextKind: KindOfSettings = {
  fields,
  defaults: {},
  references: {},
  // Words give nobody a right.
  weaker: Object.fromEntries(fields.map((name) => [name, 'never'])),
  initial: [{}],
  listKeys: ({ config }) => listSettingsKeys(config, 'email_texts'),
  read: async ({ services: { table } }, key) => {
    const stored = await listEmailTexts(table, toOwner(key))
    return toValues(stored.map(({ kind, language, ...words }) => ({ kind, language, words })))
  },
  update: ({ services, context }, values, key) =>
    replaceEmailTexts(services, toOwner(key), { context, texts: listWords(values) }),
  check: ({ config }, values, key) => {
    if (!listSettingsKeys(config, 'email_texts').includes(key))
      return [
        {
          field: '',
          message: 'must be `service`, or `product:` and the name of a product in the setting `linkUrl`',
        },
      ]
    const kinds = listKinds(key)
    return listNames(values)
      .filter((name) => values[name] !== null && !kinds.some((kind) => kind === name))
      .map((field) => ({ field, message: `cannot have words of a product, which has ${kinds.join(', ')}` }))
  },
  summarize: (values) => toValues(listWords(values)),
}
