import type { Language } from '../../../kernel/i18n/languages.ts'
import { emailTextVersionsMax } from '../../../kernel/limits/limits.ts'
import { isAbsent } from '../../../kernel/table/expressions.ts'
import {
  emailTextHistoryKey,
  emailTextHistoryPartition,
  emailTextKey,
  emailTextPartition,
} from '../../../kernel/table/keys/keys.ts'
import { createCodec, decodeListed, findRecord } from '../../../kernel/table/records.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../../kernel/table/transaction.ts'
import type { EmailTextKind, EmailWords } from './kinds.models.ts'

/** Whose words they are. Each reads its own and those of nobody else. */
export type EmailTextOwner =
  | { readonly service: true }
  | { readonly product: string }
  | { readonly organization: number }

/** The name of an owner in keys and audit events. */
export const nameOwner = (owner: EmailTextOwner): string => {
  if ('service' in owner) return 'service'
  return 'product' in owner ? `product:${owner.product}` : `organization:${owner.organization}`
}

/** Which text of an owner. */
export interface EmailTextName {
  readonly owner: EmailTextOwner
  readonly kind: EmailTextKind
  readonly language: Language
}

/** The words that emails have now. The mailer reads nothing else of them. */
export interface StoredEmailText extends EmailWords {
  readonly kind: EmailTextKind
  readonly language: Language
}

const codec = createCodec<StoredEmailText>('email text', {
  kind: 'string',
  language: 'string',
  body: 'string',
  subject: 'string or null',
})

const keyOf = ({ owner, kind, language }: EmailTextName) =>
  emailTextKey(nameOwner(owner), `${kind}#${language}`)

const historyKeyOf = ({ owner, kind, language }: EmailTextName) =>
  emailTextHistoryKey(nameOwner(owner), `${kind}#${language}`)

/** The words of the first of these texts that exists, and which one it is. One call reads them. */
export const findFirstEmailText = async (
  table: Table,
  names: readonly EmailTextName[],
): Promise<{ readonly name: EmailTextName; readonly words: EmailWords } | undefined> => {
  const items = await table.getMany(names.map(keyOf))
  for (const [at, name] of names.entries()) {
    const words = codec.decodeOptional(items[at])
    if (words) return { name, words }
  }
  return undefined
}

/** All texts that an owner has now. */
export const listEmailTexts = async (
  table: Table,
  owner: EmailTextOwner,
): Promise<readonly StoredEmailText[]> =>
  decodeListed(table, codec, await table.list(emailTextPartition(nameOwner(owner)), ''))

/** A change of a text. The words of a reset are null. */
export interface EmailTextVersion {
  readonly version: number
  /** Epoch milliseconds. */
  readonly changedAt: number
  /** The ID of the user. Null for a document. */
  readonly changedBy: number | null
  readonly words: EmailWords | null
}

/** The newest versions first. */
export interface EmailTextHistory {
  readonly version: number
  readonly versions: readonly EmailTextVersion[]
}

const historyCodec = createCodec<EmailTextHistory>('email text history', {
  version: 'number',
  versions: 'list',
})

export const findEmailTextHistory = (
  table: Table,
  name: EmailTextName,
): Promise<EmailTextHistory | undefined> => findRecord(table, historyCodec, historyKeyOf(name))

/** Builds the steps that replace a text whose history was read before. They fail with `EditConflict` if it was changed since. */
export const buildEmailTextSteps = (
  name: EmailTextName,
  before: EmailTextHistory | undefined,
  change: Omit<EmailTextVersion, 'version'>,
): readonly Step[] => {
  const version = (before?.version ?? 0) + 1
  const versions = [{ version, ...change }, ...(before?.versions ?? [])].slice(0, emailTextVersionsMax)
  const { kind, language } = name
  return [
    {
      put: { ...historyKeyOf(name), ...historyCodec.encode({ version, versions }) },
      condition: before ? (x) => `${x.path('version')} = ${x.value(before.version)}` : isAbsent,
      orElse: () => new EditConflict(),
    },
    change.words
      ? { put: { ...keyOf(name), ...codec.encode({ kind, language, ...change.words }) } }
      : { delete: keyOf(name) },
  ]
}

/** Deletes all texts of an owner that no longer exists. */
export const deleteEmailTexts = async (table: Table, owner: EmailTextOwner): Promise<void> => {
  const name = nameOwner(owner)
  for (const pk of [emailTextPartition(name), emailTextHistoryPartition(name)])
    for (const { pk: partition, sk } of await table.list(pk, ''))
      await table.transact([{ delete: { pk: partition, sk } }])
}
