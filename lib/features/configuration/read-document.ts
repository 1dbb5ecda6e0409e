import * as z from 'zod/mini'
import { settingsKinds } from '../../kernel/contract/managed-kinds.ts'
import { type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import { toFieldErrors } from '../../kernel/errors/field-error.ts'
import { languages } from '../../kernel/i18n/languages.ts'
import { findNearestName } from '../../kernel/options/nearest-name.ts'
import { listNames, readOwn } from '../../kernel/util/object-fields.ts'
import { EmailWords } from '../mail/own-texts/document.models.ts'
import { chosenIdRule, isChosenId } from '../oauth/clients.models.ts'
import {
  type ConfigurationDocument,
  documentShape,
  entries,
  keyedLists,
  settingsLists,
  thingLists,
} from './document.models.ts'
import { seedLists } from './seed.models.ts'

const document = z.strictObject(documentShape)

/**
 * Reads a document that was parsed from a file. `others` are errors that are known already.
 *
 * @throws AppError `invalid_request` that lists everything that is wrong with its form, by path: `clients.web.redirect_uris.0`
 */
export const readDocument = (input: unknown, others: readonly FieldError[] = []): ConfigurationDocument => {
  const newer = findNewerVersion(input)
  if (newer) throw invalidRequest([newer])
  const result = z.safeParse(document, input)
  const errors = [
    ...(result.success ? [] : toFieldErrors(result.error, input, 'document').map(suggestName)),
    ...listKeyErrors(input),
    ...others,
  ]
  if (!result.success || errors.length > 0) throw invalidRequest(errors)
  return result.data
}

/** A later version could mean something else by the same fields. */
const findNewerVersion = (input: unknown): FieldError | undefined => {
  const version = isObject(input) ? input['schema_version'] : undefined
  return typeof version === 'number' && version > 1
    ? {
        field: 'schema_version',
        message: `is ${version}, but this version of Latchkey knows only 1. Deploy a later version first`,
      }
    : undefined
}

const listKeyErrors = (input: unknown): readonly FieldError[] => {
  const given = readObject(input)
  return [
    ...listWrongKeys(given, Object.values(thingLists)),
    ...listWrongKeys(readObject(readOwn(given, 'seed')), Object.values(seedLists), 'seed.'),
    // The service knows the names of products. A record loses this one.
    ...Object.values(settingsLists).flatMap((list) =>
      Object.keys(readObject(readOwn(given, list))).flatMap((name) =>
        name === '__proto__' ? [{ field: `${list}.${name}`, message: 'is not the name of a product' }] : [],
      ),
    ),
  ]
}

const listWrongKeys = (
  given: Readonly<Record<string, unknown>>,
  lists: readonly string[],
  path = '',
): readonly FieldError[] =>
  lists.flatMap((list) =>
    Object.keys(readObject(readOwn(given, list))).flatMap((key) =>
      isChosenId(key) ? [] : [{ field: `${path}${list}.${key}`, message: chosenIdRule }],
    ),
  )

const readObject = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Adds the name that was probably meant to an error about an unknown one. */
const suggestName = (error: FieldError): FieldError => {
  const [name = '', ...parents] = error.field.split('.').reverse()
  const [list] = parents.reverse()
  const isInWords = list === settingsLists.email_texts && parents.length > 2
  if (!error.message.startsWith('is not recognized') || (parents.length > 2 && !isInWords)) return error
  const known = isInWords ? (parents.length === 3 ? languages : wordFields) : listKnownNames(list)
  const nearest = findNearestName(name, known)
  return nearest === undefined ? error : { ...error, message: `is not recognized. Did you mean ${nearest}?` }
}

const wordFields = listNames(EmailWords.def.shape)

const listKnownNames = (list: string | undefined): readonly string[] => {
  if (list === undefined) return Object.keys(documentShape)
  const kind =
    settingsKinds.find((one) => one === list) ?? listNames(keyedLists).find((one) => keyedLists[one] === list)
  return kind === undefined ? [] : Object.keys(entries[kind].def.shape)
}
