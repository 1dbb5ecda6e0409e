import * as z from 'zod/mini'
import { field, model } from '../../../kernel/contract/model.ts'
import { type Language, languageNames, languages } from '../../../kernel/i18n/languages.ts'
import { type EmailTextKind, emailTextKinds } from './kinds.models.ts'
import { bodyText, exampleWords, givenBody, givenSubject, subjectText } from './models.ts'

/** Own words as a configuration document has them. */
export const EmailWords = model(
  { subject: field(givenSubject, docs && subjectText), body: field(givenBody, docs && bodyText) },
  docs && { description: 'Own words of a kind of emails in a language.', example: exampleWords },
)

const inLanguage = (name: Language) =>
  field(z.optional(EmailWords), docs && `The words in ${languageNames[name]}.`)

/** Own words of one kind of emails, by language. */
export const EmailTextLanguages = model(
  Object.fromEntries(languages.map((name) => [name, inLanguage(name)])) as Record<
    Language,
    ReturnType<typeof inLanguage>
  >,
  docs && {
    description:
      'Own words of a kind of emails, by language. Readers of other languages get the built-in words.',
    example: { en: exampleWords },
  },
)

const ofKind = (name: EmailTextKind) =>
  field(
    z.nullish(EmailTextLanguages),
    docs && `The words of \`${name}\`. Null or omitted for the built-in words.`,
  )

/** Own words of an owner, by the kind of emails. */
export const OwnEmailTexts = model(
  Object.fromEntries(emailTextKinds.map((name) => [name, ofKind(name)])) as Record<
    EmailTextKind,
    ReturnType<typeof ofKind>
  >,
  docs && {
    description: 'Own words of the emails of the service or of a product.',
    example: { password_reset: { en: exampleWords } },
  },
)
