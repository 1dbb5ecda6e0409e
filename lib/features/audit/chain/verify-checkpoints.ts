import { isSignatureValid, splitPublicKeys } from '../../../kernel/secrets/signer.ts'
import type { TableReads } from '../../../kernel/table/table.ts'
import type { Item } from '../../../kernel/table/transaction.ts'
import { getCheckpointSortKey, readCheckpointItems } from '../chain.records.ts'
import { hasExpired, hashText } from './chain-blocks.ts'
import type { Findings } from './findings.ts'
import { type CheckpointStatement, readStatement } from './statement.ts'

export interface VerifiedCheckpoint {
  readonly statement: CheckpointStatement
  readonly hash: string
}

export interface CheckpointCheck {
  readonly table: TableReads
  readonly findings: Findings
  /** In PEM format. Several keys are in the order in which they signed. */
  readonly publicKey: string
  /** Items that expired until then may be missing: see `ChainCheck`. */
  readonly excusedMs: number
  /** Whether the first checkpoint may have any number. */
  readonly beginsAnywhere?: boolean
}

/** Checks all checkpoints and returns the genuine ones, oldest first. */
export const verifyCheckpoints = async ({
  table,
  findings,
  publicKey,
  excusedMs,
  beginsAnywhere = false,
}: CheckpointCheck): Promise<readonly VerifiedCheckpoint[]> => {
  const genuine: VerifiedCheckpoint[] = []
  let keys = splitPublicKeys(publicKey)
  for (const item of await readCheckpointItems(table)) {
    // An earlier key may have been replaced because it leaked. It counts only up to the first signature of the next one.
    const at = keys.findIndex((key) => readGenuine(item, key))
    keys = keys.slice(Math.max(0, at))
    const [key = ''] = keys
    const checkpoint = at < 0 ? undefined : readGenuine(item, key)
    if (!checkpoint) {
      findings.add('checkpoint_changed', item.sk)
      continue
    }
    const { number, previousHash, expiresAt, previousExpiresAt } = checkpoint.statement
    const previous = genuine.at(-1)
    const isFirst = beginsAnywhere && !previous
    const expected = isFirst ? number : (previous?.statement.number ?? 0) + 1
    // The statement is signed, so it can be trusted about its predecessor.
    if (number !== expected && !hasExpired(previousExpiresAt, excusedMs))
      findings.add('checkpoint_missing', describeGap(expected, number - 1))
    const isLinked = isFirst || number !== expected || previousHash === (previous?.hash ?? '')
    if (!isLinked || item['expires_at'] !== expiresAt) findings.add('checkpoint_changed', item.sk)
    genuine.push(checkpoint)
  }
  return genuine
}

const readGenuine = (item: Item, publicKey: string): VerifiedCheckpoint | undefined => {
  const { statement: text, signature } = item
  if (typeof text !== 'string' || typeof signature !== 'string') return undefined
  const statement = readStatement(text)
  return statement &&
    item.sk === getCheckpointSortKey(statement.number) &&
    isSignatureValid(publicKey, text, signature)
    ? { statement, hash: hashText(text) }
    : undefined
}

const describeGap = (first: number, last: number): string =>
  first >= last ? `checkpoint ${last}` : `checkpoints ${first} to ${last}`
