import * as z from 'zod/mini'
import { anyText, dateTime, flag, int32, text, texts } from '../../../kernel/contract/fields.ts'
import { field, model } from '../../../kernel/contract/model.ts'
import { languages } from '../../../kernel/i18n/languages.ts'
import { emailTextBytes, emailTextVersionsMax } from '../../../kernel/limits/limits.ts'
import { emailTextKinds } from './kinds.models.ts'

const kind = z.enum(emailTextKinds)
const language = z.enum(languages)
/** The rules of own words say more, with the line. This bounds what they read. */
export const givenSubject = z.nullish(text(1000))
export const givenBody = text(2 * emailTextBytes)

export const exampleWords = docs && {
  subject: 'Set your password at {product}',
  body: 'Hello {username},\n\nyou asked for a new password.\n\n[Choose a password]({link})',
}

export const subjectText = docs && {
  description:
    'The subject: one line of at most 150 characters, with variables. Null for kinds whose subject cannot be changed.',
  example: exampleWords.subject,
}
export const bodyText = docs && {
  description: `The words of the email in a small markup, of at most ${emailTextBytes / 1024} KiB. It has no HTML.`,
  example: exampleWords.body,
}

/** A kind of emails that can have own words. */
export const EmailTextKind = model(
  {
    kind: field(kind, docs && { description: 'The kind of emails.', example: 'password_reset' }),
    variables: field(
      texts,
      docs && { description: 'What its words can say in braces.', example: ['product', 'host', 'username'] },
    ),
    required_variables: field(
      texts,
      docs && { description: 'The variables that its words must have.', example: ['username'] },
    ),
    action: field(
      z.enum(['link', 'code']),
      docs && { description: 'What its words must have: its one-time link, or its code.', example: 'link' },
    ),
    has_subject: field(flag, docs && 'Whether its subject can be changed.'),
    languages: field(
      z.array(language),
      docs && { description: 'The languages that have own words.', example: ['de'] },
    ),
    link_domains: field(
      texts,
      docs && {
        description: 'Where links may lead. `*.` stands before domains whose subdomains are allowed as well.',
        example: ['auth.example.com', '*.example.com'],
      },
    ),
  },
  docs && {
    description: 'A kind of emails that can have own words, and the languages that have some.',
    example: {
      kind: 'password_reset',
      variables: ['product', 'host', 'username'],
      required_variables: [],
      action: 'link',
      has_subject: true,
      languages: ['de'],
      link_domains: ['auth.example.com', '*.example.com'],
    },
  },
)

export const EmailTextVersion = model(
  {
    version: field(int32, docs && { description: 'The number of the change.', example: 2 }),
    changed_at: field(
      dateTime,
      docs && { description: 'When it was saved.', example: '2026-01-31T12:00:00.000Z' },
    ),
    changed_by: field(
      z.nullable(int32),
      docs && { description: 'The ID of the user who saved it. Null for a document.', example: 1 },
    ),
    subject: field(z.nullable(anyText), docs && subjectText),
    body: field(
      z.nullable(anyText),
      docs && {
        description: 'The words. Null for a return to the built-in words.',
        example: exampleWords.body,
      },
    ),
  },
  docs && {
    description: 'What own words were after a change. To restore them, save them again.',
    example: { version: 1, changed_at: '2026-01-31T12:00:00.000Z', changed_by: 1, ...exampleWords },
  },
)

export const EmailText = model(
  {
    kind: field(kind, docs && { description: 'The kind of emails.', example: 'password_reset' }),
    language: field(language, docs && { description: 'The language of the words.', example: 'en' }),
    version: field(
      int32,
      docs && { description: 'Increases with each change. 0 if there never were own words.', example: 1 },
    ),
    subject: field(z.nullable(anyText), docs && subjectText),
    body: field(
      z.nullable(anyText),
      docs && { description: 'The words. Null for the built-in words.', example: exampleWords.body },
    ),
    versions: field(
      z.array(EmailTextVersion),
      docs && `The newest ${emailTextVersionsMax} changes, the latest first.`,
    ),
  },
  docs && {
    description: 'The own words of a kind of emails in a language.',
    example: {
      kind: 'password_reset',
      language: 'en',
      version: 1,
      ...exampleWords,
      versions: [{ version: 1, changed_at: '2026-01-31T12:00:00.000Z', changed_by: 1, ...exampleWords }],
    },
  },
)
export type EmailText = z.output<typeof EmailText>

export const EmailTextChange = model(
  {
    subject: field(givenSubject, docs && subjectText),
    body: field(givenBody, docs && bodyText),
    version: field(
      z.optional(int32),
      docs && {
        description: 'The version that you read. If somebody changed the words since, the response is 409.',
        example: 0,
      },
    ),
  },
  docs && { description: 'Own words of a kind of emails.', example: exampleWords },
)

export const EmailTextTrial = model(
  { subject: field(givenSubject, docs && subjectText), body: field(givenBody, docs && bodyText) },
  docs && { description: 'Own words of a kind of emails, to be tried.', example: exampleWords },
)

export const EmailTextPreviewRequest = model(
  {
    subject: field(givenSubject, docs && subjectText),
    body: field(givenBody, docs && bodyText),
    values: field(
      z.optional(z.record(text(40), text(200))),
      docs && {
        description: 'Values of variables of the kind. Others have an example.',
        example: { username: 'ada' },
      },
    ),
  },
  docs && {
    description: 'Own words of a kind of emails, with the values to show them with.',
    example: { ...exampleWords, values: { username: 'ada' } },
  },
)

export const EmailTextPreview = model(
  {
    from: field(
      z.nullable(anyText),
      docs && {
        description: 'The sender. Null if the service has none.',
        example: 'Acme <no-reply@example.com>',
      },
    ),
    reply_to: field(
      z.nullable(anyText),
      docs && { description: 'Where answers go. Null for the sender.', example: 'help@example.com' },
    ),
    subject: field(
      anyText,
      docs && { description: 'The subject of the email.', example: 'Set your password at Acme' },
    ),
    text: field(anyText, docs && { description: 'The text part.', example: 'Hello “ada”, …' }),
    html: field(anyText, docs && { description: 'The HTML part.', example: '<!doctype html>…' }),
  },
  docs && {
    description: 'An email with own words. Its link and its code are examples, and work nowhere.',
    example: {
      from: 'Acme <no-reply@example.com>',
      reply_to: null,
      subject: 'Set your password at Acme',
      text: 'Hello “ada”, …',
      html: '<!doctype html>…',
    },
  },
)
